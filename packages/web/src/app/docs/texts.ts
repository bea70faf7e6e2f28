import type { DocsPage } from './part.ts'
import { adminPages } from './texts-admin.ts'
import { introductionPages } from './texts-introduction.ts'
import { workPages } from './texts-work.ts'

/** Help pages by key, in the order of the contents. Routes refer to the keys. */
export const docsPages: Readonly<Record<string, DocsPage>> = { ...introductionPages, ...workPages, ...adminPages }
