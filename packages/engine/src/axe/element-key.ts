import { makeElementKey } from './element-key-in-page.ts'
import { makeNumberRemover } from './number-remover-in-page.ts'

/** Source text of a function that returns the one that computes element keys, for a page. */
export const elementKeySource = `() => (${makeElementKey.toString()})((${makeNumberRemover.toString()})())`
