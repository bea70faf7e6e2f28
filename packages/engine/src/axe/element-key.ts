import { makeElementKey } from './element-key-in-page.ts'
import { makeNamePatterns } from './name-patterns-in-page.ts'
import { makeNumberRemover } from './number-remover-in-page.ts'
import { hashText } from './text-hash-in-page.ts'

const argumentSources = [`(${makeNumberRemover.toString()})()`, `(${makeNamePatterns.toString()})()`, hashText.toString()]
/** Source text of a function that returns the one that computes element keys, for a page. */
export const elementKeySource = `() => (${makeElementKey.toString()})(${argumentSources.join(', ')})`
