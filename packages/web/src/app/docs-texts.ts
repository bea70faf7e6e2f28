import type { DocsPage } from './docs-part.ts'
import { adminPages } from './docs-texts-admin.ts'
import { wordsPages } from './docs-texts-words.ts'
import { workPages } from './docs-texts-work.ts'

/** The pages of the help by their key, which routes name, in the order of the contents. */
export const docsPages: Readonly<Record<string, DocsPage>> = { ...wordsPages, ...workPages, ...adminPages }
