import { withTimeout } from '../browser/deadline.ts'
import { type Tab, worldNames } from '../browser/tab.ts'
import { callInWorld, type CallResult, type IsolatedWorld, openWorld } from '../browser/world.ts'

/** Under this name the documents of a tab hold axe and our page API, not run yet, in the world where axe works. */
const held = 'clearwayHeld'

/** Whether a world has a global of that name: an element of the page that has the name too is none. */
const has = (name: string): string => `Object.hasOwn(globalThis, '${name}')`

/**
 * Has all further documents of a tab hold `script`, or none: sent to each document by itself, it costs more than it takes to
 * run it. Documents that never run it pay for it, too, so it is for tabs whose pages will be analysed.
 */
export async function holdAxe(tab: Tab, script: string | null): Promise<void> {
  const identifier = tab.holding
  if ((script === null) === (identifier === null)) return
  const source = `globalThis.${held} = () => {${script}}`
  const change: Promise<{ identifier: string | null }> =
    identifier === null
      ? tab.cdp.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: worldNames.axe })
      : tab.cdp
          .send('Page.removeScriptToEvaluateOnNewDocument', { identifier })
          .then(() => ({ identifier: null }))
  // A page that cannot be told is sent the script.
  await withTimeout(
    2000,
    change.then(
      (changed) => void (tab.holding = changed.identifier),
      () => {},
    ),
  )
}

/** Under this name a world has axe for a look that is still to come. */
const ahead = 'clearwayAhead'

/**
 * Runs axe and our page API in the document that a tab shows for the look that is to come, while the document comes to rest: for most
 * pages the waiting is as long.
 */
export async function bringAhead(
  { cdp, mainFrameId }: Pick<Tab, 'cdp' | 'mainFrameId'>,
  script: string,
  ms: number,
): Promise<void> {
  const world = await openWorld(cdp, mainFrameId, 'axe', 2000)
  if (world) await bringAxe(world, { script, reveal: '' }, `(globalThis.${ahead} = true)`, ms)
}

/**
 * Runs axe and our page API in a world, anew for each look, since both remember what they have seen: as `bringAhead` left them, from what
 * the document holds, or by sending `script`. Answers the value of `program`, which is never null, run there after them.
 */
export async function bringAxe<T>(
  world: IsolatedWorld,
  { script, reveal }: { script: string; reveal: string },
  program: string,
  ms: number,
): Promise<CallResult<T>> {
  const end = performance.now() + ms
  const isThere = `${has(ahead)} && delete globalThis.${ahead} || ${has(held)} && (${held}(), true)`
  const there = await callInWorld<T | null>(world, `${reveal}${isThere} ? ${program} : null`, ms)
  if (there.kind !== 'value' || there.value !== null) return there as CallResult<T>
  return callInWorld<T>(world, `${script};${program}`, end - performance.now())
}
