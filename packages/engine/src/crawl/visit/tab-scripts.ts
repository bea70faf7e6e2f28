import { randomBytes } from 'node:crypto'
import { mostPrivate, rememberPrivate, revealPrivate } from '../../axe/private-in-page.ts'
import type { TabScripts } from '../../browser/tab.ts'
import { observeDocument, trackTimers } from '../settle/in-page.ts'
import { inPageLimit } from '../settle/time.ts'

/** The scripts that are in every document of one run, with a name of their own that pages cannot guess. */
export function tabScripts(): TabScripts {
  const token = `t${randomBytes(12).toString('hex')}`
  const name = JSON.stringify(token)
  const given = `${name}, ${JSON.stringify(inPageLimit)}`
  const ofPrivate = `${name}, ${JSON.stringify(mostPrivate)}`
  return {
    main: `(${trackTimers.toString()})(${given});(${rememberPrivate.toString()})(${ofPrivate})`,
    isolated: `(${observeDocument.toString()})(${given})`,
    reveal: `(${revealPrivate.toString()})(${ofPrivate});`,
  }
}
