import type { DocsPage } from './part.ts'
import { adminPages } from './texts-admin.ts'
import { wordsPages } from './texts-words.ts'
import { workPages } from './texts-work.ts'

/** The pages of the help by their key, which routes name, in the order of the contents. */
export const docsPages: Readonly<Record<string, DocsPage>> = { ...wordsPages, ...workPages, ...adminPages }
