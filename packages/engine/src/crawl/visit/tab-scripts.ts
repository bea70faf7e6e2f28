import { randomBytes } from 'node:crypto'
import { privateLimits, trackPrivateState, revealPrivateState } from '../../axe/private-state-in-page.ts'
import type { TabScripts } from '../../browser/tab.ts'
import { observeDocument, trackTimers } from '../settle/settle-in-page.ts'
import { inPageLimits } from '../settle/limits.ts'

/** Builds the scripts for every document of one run, with an event name that pages cannot guess. */
export function buildTabScripts(): TabScripts {
  const secretToken = `t${randomBytes(12).toString('hex')}`
  const tokenLiteral = JSON.stringify(secretToken)
  const observerArgs = `${tokenLiteral}, ${JSON.stringify(inPageLimits)}`
  const privateArgs = `${tokenLiteral}, ${JSON.stringify(privateLimits)}`
  return {
    main: `(${trackTimers.toString()})(${observerArgs});(${trackPrivateState.toString()})(${privateArgs})`,
    isolated: `(${observeDocument.toString()})(${observerArgs})`,
    reveal: `(${revealPrivateState.toString()})(${privateArgs});`,
  }
}
