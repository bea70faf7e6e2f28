import { within } from './deadline.ts'
import { worldNames, type Tab, type WorldName } from './tab.ts'

/** What became of a call into a page. */
export type Called<T> =
  | { kind: 'value'; value: T }
  /** The document went away under the call. */
  | { kind: 'gone' }
  | { kind: 'timeout' }
  /** The code threw; `message` is for people. */
  | { kind: 'threw'; message: string }

/** Minimal form of a CDP session: the tab's own, or that of a frame in another process. */
export type Session = Pick<Tab['cdp'], 'send'>

/** A world that only we see, in one frame. */
export type World = { session: Session; contextId: number }

/** The isolated world of a frame, made when it isn't there; null when the frame went away or does not answer. */
export async function worldOf(
  session: Session,
  frameId: string,
  name: WorldName,
  ms: number,
): Promise<World | null> {
  const made = await within(
    ms,
    session.send('Page.createIsolatedWorld', { frameId, worldName: worldNames[name] }).catch(() => null),
  )
  return made.done && made.value ? { session, contextId: made.value.executionContextId } : null
}

/**
 * Runs `expression` in a world and answers its value, waiting for a promise, at most `ms`. The caller decides
 * what to do with a page that does not answer: see `stopScripts`.
 */
export async function call<T>(world: World, expression: string, ms: number): Promise<Called<T>> {
  const answered = await within(
    ms,
    world.session
      .send('Runtime.evaluate', {
        expression,
        contextId: world.contextId,
        awaitPromise: true,
        returnByValue: true,
      })
      .catch(() => null),
  )
  if (!answered.done) return { kind: 'timeout' }
  if (answered.value === null) return { kind: 'gone' }
  const { exceptionDetails, result } = answered.value
  if (!exceptionDetails) return { kind: 'value', value: result.value as T }
  const thrown = exceptionDetails.exception?.description ?? exceptionDetails.text
  return { kind: 'threw', message: thrown.split('\n', 1)[0]!.slice(0, 300) }
}

/** Runs one of our programs in the world beside a tab's main document, where axe is, too. At most `ms` for each half. */
export async function callInTab<T>(
  tab: Pick<Tab, 'cdp' | 'mainFrameId'>,
  program: string,
  ms: number,
): Promise<Called<T>> {
  const world = await worldOf(tab.cdp, tab.mainFrameId, 'axe', ms)
  return world ? call<T>(world, program, ms) : { kind: 'gone' }
}

/** Breaks a script that never returns; whether the page is alive again afterwards. */
export async function stopScripts(session: Session): Promise<boolean> {
  const stopped = await within(
    1000,
    session.send('Runtime.terminateExecution').then(
      () => true,
      () => false,
    ),
  )
  return stopped.done && stopped.value
}
