import { withTimeout } from '../browser/deadline.ts'
import { type Tab, worldNames } from '../browser/tab.ts'
import { callInWorld, type CallResult, type IsolatedWorld, openWorld } from '../browser/isolated-world.ts'

/** Global under which a tab's documents hold the uninvoked axe and page API script, in the axe world. */
const heldScriptName = 'clearwayHeld'

/** Returns an expression that is true if a world has its own global of that name; named elements of the page do not count. */
const buildHasGlobal = (name: string): string => `Object.hasOwn(globalThis, '${name}')`

/**
 * Makes all further documents of a tab hold `script`, or none. Sending it to each document costs more than running it.
 * Documents that never run it pay for it, too, so it is only for tabs whose pages will be analyzed.
 */
export async function holdAxe(tab: Tab, script: string | null): Promise<void> {
  const identifier = tab.holding
  if ((script === null) === (identifier === null)) return
  const holdSource = `globalThis.${heldScriptName} = () => {${script}}`
  const pendingChange: Promise<{ identifier: string | null }> =
    identifier === null
      ? tab.cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: holdSource, worldName: worldNames.axe })
      : tab.cdp.send('Page.removeScriptToEvaluateOnNewDocument', { identifier }).then(() => ({ identifier: null }))
  // If the change fails, the script is sent to each page.
  await withTimeout(
    2000,
    pendingChange.then(
      (changeResult) => void (tab.holding = changeResult.identifier),
      () => {},
    ),
  )
}

/** Global that marks a world with axe preloaded for the next axe run. */
const preloadedName = 'clearwayAhead'

/**
 * Runs axe and our page API in a tab's document for the next axe run, while the document becomes idle; on most pages
 * that takes as long.
 */
export async function preloadAxe(
  { cdp, mainFrameId }: Pick<Tab, 'cdp' | 'mainFrameId'>,
  script: string,
  timeoutMs: number,
): Promise<void> {
  const axeWorld = await openWorld(cdp, mainFrameId, 'axe', 2000)
  if (axeWorld) await injectAxe(axeWorld, { script, reveal: '' }, `(globalThis.${preloadedName} = true)`, timeoutMs)
}

/**
 * Runs axe and our page API in a world, again for each axe run because both keep state: uses the state of
 * `preloadAxe`, the script that the document holds, or sends `script`. Afterwards evaluates `resultExpression`, whose
 * value is never null, and returns that value.
 */
export async function injectAxe<T>(
  axeWorld: IsolatedWorld,
  { script, reveal }: { script: string; reveal: string },
  resultExpression: string,
  timeoutMs: number,
): Promise<CallResult<T>> {
  const deadlineAt = performance.now() + timeoutMs
  const injectExpression = `${buildHasGlobal(preloadedName)} && delete globalThis.${preloadedName} || ${buildHasGlobal(heldScriptName)} && (${heldScriptName}(), true)`
  const heldResult = await callInWorld<T | null>(axeWorld, `${reveal}${injectExpression} ? ${resultExpression} : null`, timeoutMs)
  if (heldResult.kind !== 'value' || heldResult.value !== null) return heldResult as CallResult<T>
  return callInWorld<T>(axeWorld, `${script};${resultExpression}`, deadlineAt - performance.now())
}
