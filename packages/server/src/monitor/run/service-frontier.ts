import type { Frontier } from '@clearway/engine/frontier.ts'
import type { Live } from '../../kit/live.ts'
import { admitPdf, slowHost } from './store-pace.ts'
import { claimEntries } from './store-claim.ts'
import { frontierState, releaseEntry, renewLeases, seedEntries } from './store-frontier.ts'
import { settlePage } from './service-settle.ts'
import type { SettleDeps } from './store-settle.ts'

/**
 * The shared frontier of one run, as the engine wants it. `touched` is called whenever something was recorded; `close`
 * ends listening to other processes.
 */
export function openFrontier(
  deps: SettleDeps,
  live: Live,
  touched: () => void,
): { frontier: Frontier; close: () => void } {
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const resolve of waiting) resolve()
  }
  const close = live.hear((heard) => {
    if (heard.kind === 'missed' || heard.runId === deps.runId) wake()
  })
  const after = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work
    touched()
    wake()
    return result
  }
  const frontier: Frontier = {
    seed: (entries) => after(seedEntries(deps, entries)),
    claim: (n) => claimEntries(deps, n),
    renew: (claims) => renewLeases(deps, claims),
    settle: (claim, outcome, found, states) => after(settlePage(deps, claim, outcome, found, states)),
    slow: (host, pace) => slowHost(deps, host, pace),
    admitPdf: (limit) => admitPdf(deps, limit),
    release: (claim, options) => after(releaseEntry(deps, claim, options)),
    state: () => frontierState(deps),
    async changed(ms) {
      let end = () => {}
      const woken = new Promise<void>((resolve) => (end = resolve))
      waiting.add(end)
      const timer = setTimeout(end, ms)
      await woken
      clearTimeout(timer)
      waiting.delete(end)
    },
  }
  return { frontier, close }
}
