import { sleep } from '../browser/deadline.ts'
import { openSlots, type Slot, type Slots } from '../browser/slots.ts'

/** What a site's answer says about its load. */
export type Answered = 'fine' | 'troubled' | { retryAfterMs: number | null }

/** Keeps the load on each host within what the scan allows, and backs off from hosts that are in trouble. */
export type Pace = {
  /**
   * Waits for a turn on `host`; null when `signal` aborted first.
   * `gapMs`: the least time between two turns that the site itself asks for.
   */
  enter(host: string, gapMs: number, signal: AbortSignal): Promise<Slot | null>
  /**
   * Learns from an answer: trouble doubles the gap between visits, a good answer halves it, "too many requests" closes
   * the host for a while. `gapMs`: as for `enter`. Answers what everybody else should keep to now; null when nothing has changed.
   */
  learn(host: string, answered: Answered, gapMs: number): { untilMs: number; gapMs: number } | null
}

/** Moments are those of `performance.now()`: a clock that is set back must not close a host for hours. */
type Host = {
  turns: Slots
  nextAt: number
  /** Nobody enters before. */
  closedUntil: number
  /** What trouble has added to the gap, in milliseconds. */
  extraMs: number
  refusals: number
  /** What was published last. */
  sentMs: number
}

const firstExtraMs = 250
const mostExtraMs = 10_000
/** The longest that a host is left alone, whatever it asks for. */
export const longestRestMs = 5 * 60_000

/** Retry-After as a server writes it: seconds, or a date. Null when it is neither. */
export function retryAfterMs(header: string | undefined, now = Date.now()): number | null {
  if (header === undefined) return null
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}

function restOf(host: Host, { retryAfterMs: asked }: { retryAfterMs: number | null }): number {
  host.refusals += 1
  return Math.min(longestRestMs, asked ?? 1000 * 2 ** Math.min(host.refusals, 10))
}

/** `atOnce` turns of one host at a time; `perMinute` turns started in a minute, evenly spread (null: no limit). */
export function openPace(options: { atOnce: number; perMinute: number | null }): Pace {
  const hosts = new Map<string, Host>()
  const leastGap = options.perMinute === null ? 0 : 60_000 / options.perMinute
  const hostOf = (name: string): Host => {
    let host = hosts.get(name)
    if (!host)
      hosts.set(
        name,
        (host = {
          turns: openSlots(options.atOnce),
          nextAt: 0,
          closedUntil: 0,
          extraMs: 0,
          refusals: 0,
          sentMs: 0,
        }),
      )
    return host
  }

  return {
    async enter(name, gapMs, signal) {
      const host = hostOf(name)
      const turn = await host.turns.take(1, signal)
      if (!turn) return null
      const gap = Math.max(gapMs, leastGap) + host.extraMs
      const at = Math.max(performance.now(), host.nextAt, host.closedUntil)
      host.nextAt = at + gap
      // The host may be closed for longer while we wait.
      for (let due = at; !signal.aborted && due > performance.now(); due = Math.max(due, host.closedUntil))
        await sleep(due - performance.now(), signal)
      if (!signal.aborted) return turn
      turn.leave()
      return null
    },
    learn(name, answered, asked) {
      const host = hostOf(name)
      const rest = typeof answered === 'object' ? restOf(host, answered) : 0
      if (rest > 0) host.closedUntil = Math.max(host.closedUntil, performance.now() + rest)
      if (answered === 'fine') {
        host.refusals = 0
        host.extraMs = host.extraMs <= firstExtraMs ? 0 : host.extraMs / 2
      } else host.extraMs = Math.min(mostExtraMs, Math.max(firstExtraMs, host.extraMs * 2))
      const gapMs = Math.round(Math.max(asked, leastGap) + host.extraMs)
      if (rest === 0 && gapMs === host.sentMs) return null
      host.sentMs = gapMs
      return { untilMs: rest, gapMs }
    },
  }
}
