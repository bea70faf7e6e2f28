import { randomBytes } from 'node:crypto'
import type { TabScripts } from '../../browser/tab.ts'
import { observeDocument, trackTimers } from '../settle/in-page.ts'
import { inPageLimit } from '../settle/limit.ts'

/** The scripts that are in every document of one run, with a name of their own that pages cannot guess. */
export function tabScripts(): TabScripts {
  const token = `t${randomBytes(12).toString('hex')}`
  const given = `${JSON.stringify(token)}, ${JSON.stringify(inPageLimit)}`
  return {
    main: `(${trackTimers.toString()})(${given})`,
    isolated: `(${observeDocument.toString()})(${given})`,
  }
}
