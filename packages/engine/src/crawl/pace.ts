import { pause } from '../browser/deadline.ts'

/** Keeps the load on each host within what the scan allows. */
export type Pace = {
  /**
   * Waits for a turn on `host` and answers the function that ends it; null when `signal` aborted first.
   * `gapMs`: the least time between two turns that the site itself asks for.
   */
  enter(host: string, gapMs: number, signal: AbortSignal): Promise<(() => void) | null>
}

type Host = { active: number; nextAt: number; waiting: (() => void)[] }

/** `atOnce` turns of one host at a time; `perMinute` turns started in a minute, evenly spread (null: no limit). */
export function openPace(options: { atOnce: number; perMinute: number | null }): Pace {
  const hosts = new Map<string, Host>()
  const leastGap = options.perMinute === null ? 0 : 60_000 / options.perMinute

  async function slot(host: Host, signal: AbortSignal): Promise<boolean> {
    while (host.active >= options.atOnce) {
      if (signal.aborted) return false
      await new Promise<void>((resolve) => {
        host.waiting.push(resolve)
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
    }
    return !signal.aborted
  }

  return {
    async enter(name, gapMs, signal) {
      let host = hosts.get(name)
      if (!host) hosts.set(name, (host = { active: 0, nextAt: 0, waiting: [] }))
      const known = host
      if (!(await slot(known, signal))) return null
      known.active += 1
      const leave = () => {
        known.active -= 1
        known.waiting.shift()?.()
      }
      const gap = Math.max(gapMs, leastGap)
      const now = Date.now()
      const at = Math.max(now, known.nextAt)
      known.nextAt = at + gap
      if (at > now) await pause(at - now, signal)
      if (!signal.aborted) return leave
      leave()
      return null
    },
  }
}
