import { succeedsInTime, withTimeout } from './deadline.ts'
import { worldNames, type Tab, type WorldName } from './tab.ts'

/** Result of a call into a page. */
export type CallResult<T> =
  | { kind: 'value'; value: T }
  /** The document was discarded during the call. */
  | { kind: 'gone' }
  | { kind: 'timeout' }
  /** The code threw; `message` is user-readable. */
  | { kind: 'threw'; message: string }

/** Minimal CDP session: the tab's own, or that of a frame in another process. */
export type CdpSession = Pick<Tab['cdp'], 'send'>

/** An isolated world in one frame. */
export type IsolatedWorld = { session: CdpSession; contextId: number }

/** Returns the isolated world of a frame, creating it if necessary; null if the frame is gone or does not respond. */
export async function openWorld(
  session: CdpSession,
  frameId: string,
  name: WorldName,
  timeoutMs: number,
): Promise<IsolatedWorld | null> {
  const worldResult = await withTimeout(
    timeoutMs,
    session.send('Page.createIsolatedWorld', { frameId, worldName: worldNames[name] }).catch(() => null),
  )
  return worldResult.done && worldResult.value ? { session, contextId: worldResult.value.executionContextId } : null
}

/**
 * Evaluates `expression` in a world and returns its value, awaiting promises for at most `timeoutMs`. The caller
 * handles pages that do not respond: see `stopScripts`.
 */
export async function callInWorld<T>(world: IsolatedWorld, expression: string, timeoutMs: number): Promise<CallResult<T>> {
  const evaluateResult = await withTimeout(
    timeoutMs,
    world.session
      .send('Runtime.evaluate', { expression, contextId: world.contextId, awaitPromise: true, returnByValue: true })
      .catch(() => null),
  )
  if (!evaluateResult.done) return { kind: 'timeout' }
  if (evaluateResult.value === null) return { kind: 'gone' }
  const { exceptionDetails, result } = evaluateResult.value
  if (!exceptionDetails) return { kind: 'value', value: result.value as T }
  const thrownMessage = exceptionDetails.exception?.description ?? exceptionDetails.text
  return { kind: 'threw', message: thrownMessage.split('\n', 1)[0]!.slice(0, 300) }
}

/**
 * Runs one of our scripts in an isolated world of a tab's main document: by default the one that also contains axe.
 * `timeoutMs` applies to each of the two steps.
 */
export async function callInTab<T>(
  tab: Pick<Tab, 'cdp' | 'mainFrameId'>,
  program: string,
  timeoutMs: number,
  worldName: WorldName = 'axe',
): Promise<CallResult<T>> {
  const world = await openWorld(tab.cdp, tab.mainFrameId, worldName, timeoutMs)
  return world ? callInWorld<T>(world, program, timeoutMs) : { kind: 'gone' }
}

/** Terminates a script that never returns. Returns true if the page responds again. */
export const stopScripts = (session: CdpSession): Promise<boolean> =>
  succeedsInTime(1000, session.send('Runtime.terminateExecution'))
