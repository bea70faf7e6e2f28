import { randomBytes } from 'node:crypto'
import { mostClosedRoots, openClosedRoots, rememberClosedRoots } from '../../axe/closed-root-in-page.ts'
import type { TabScripts } from '../../browser/tab.ts'
import { observeDocument, trackTimers } from '../settle/in-page.ts'
import { inPageLimit } from '../settle/limit.ts'

/** The scripts that are in every document of one run, with a name of their own that pages cannot guess. */
export function tabScripts(): TabScripts {
  const token = `t${randomBytes(12).toString('hex')}`
  const name = JSON.stringify(token)
  const given = `${name}, ${JSON.stringify(inPageLimit)}`
  return {
    main: `(${trackTimers.toString()})(${given});(${rememberClosedRoots.toString()})(${name}, ${mostClosedRoots})`,
    isolated: `(${observeDocument.toString()})(${given})`,
    reveal: `(${openClosedRoots.toString()})(${name}, ${mostClosedRoots});`,
  }
}
