import { sleep } from '../browser/deadline.ts'
import { openSlots, type Slot, type Slots } from '../browser/slots.ts'

/** Load indication of a site's response. */
export type ResponseVerdict = 'fine' | 'troubled' | { retryAfterMs: number | null }

/** Limits the load on each host to the scan's settings, and backs off from hosts in trouble. */
export type Pace = {
  /**
   * Waits for a slot on `host`; null if `signal` aborts first. `gapMs`: minimum time between two visits that the site requests.
   */
  enter(host: string, gapMs: number, signal: AbortSignal): Promise<Slot | null>
  /**
   * Learns from a response: trouble doubles the gap between visits, success halves it, and "too many requests" blocks the host
   * for a while. `gapMs`: as for `enter`. Returns the new limits for other processes; null if nothing has changed.
   */
  learn(host: string, verdict: ResponseVerdict, gapMs: number): { untilMs: number; gapMs: number } | null
}

/** Times are on the `performance.now()` scale: setting back the clock must not block a host for hours. */
type HostPace = {
  turns: Slots
  nextAt: number
  /** Time before which no visit may start. */
  closedUntil: number
  /** Additional gap because of trouble, in milliseconds. */
  extraMs: number
  refusals: number
  /** Last published gap. */
  publishedGapMs: number
}

const firstExtraMs = 250
const maxExtraMs = 10_000
/** Maximum back-off of a host, regardless of its request. */
export const maxBackoffMs = 5 * 60_000

/** Parses Retry-After in seconds or as a date; null for other values. */
export function parseRetryAfterMs(header: string | undefined, nowMs = Date.now()): number | null {
  if (header === undefined) return null
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header) * 1000
  const retryAt = Date.parse(header)
  return Number.isNaN(retryAt) ? null : Math.max(0, retryAt - nowMs)
}

function computeBackoffMs(hostPace: HostPace, { retryAfterMs: requestedMs }: { retryAfterMs: number | null }): number {
  hostPace.refusals += 1
  return Math.min(maxBackoffMs, requestedMs ?? 1000 * 2 ** Math.min(hostPace.refusals, 10))
}

/** Allows `atOnce` concurrent visits per host, and `perMinute` visits per minute, evenly spread (null: no limit). */
export function openPace(options: { atOnce: number; perMinute: number | null }): Pace {
  const hostsByName = new Map<string, HostPace>()
  const minGapMs = options.perMinute === null ? 0 : 60_000 / options.perMinute
  const getOrCreateHost = (hostName: string): HostPace => {
    let hostPace = hostsByName.get(hostName)
    if (!hostPace)
      hostsByName.set(
        hostName,
        (hostPace = { turns: openSlots(options.atOnce), nextAt: 0, closedUntil: 0, extraMs: 0, refusals: 0, publishedGapMs: 0 }),
      )
    return hostPace
  }

  return {
    async enter(hostName, gapMs, signal) {
      const hostPace = getOrCreateHost(hostName)
      const hostSlot = await hostPace.turns.take(1, signal)
      if (!hostSlot) return null
      const visitGapMs = Math.max(gapMs, minGapMs) + hostPace.extraMs
      const entryAt = Math.max(performance.now(), hostPace.nextAt, hostPace.closedUntil)
      hostPace.nextAt = entryAt + visitGapMs
      // The block may be extended during the wait.
      for (
        let entryDueAt = entryAt;
        !signal.aborted && entryDueAt > performance.now();
        entryDueAt = Math.max(entryDueAt, hostPace.closedUntil)
      )
        await sleep(entryDueAt - performance.now(), signal)
      if (!signal.aborted) return hostSlot
      hostSlot.leave()
      return null
    },
    learn(hostName, verdict, requestedGapMs) {
      const hostPace = getOrCreateHost(hostName)
      const backoffMs = typeof verdict === 'object' ? computeBackoffMs(hostPace, verdict) : 0
      if (backoffMs > 0) hostPace.closedUntil = Math.max(hostPace.closedUntil, performance.now() + backoffMs)
      if (verdict === 'fine') {
        hostPace.refusals = 0
        hostPace.extraMs = hostPace.extraMs <= firstExtraMs ? 0 : hostPace.extraMs / 2
      } else hostPace.extraMs = Math.min(maxExtraMs, Math.max(firstExtraMs, hostPace.extraMs * 2))
      const newGapMs = Math.round(Math.max(requestedGapMs, minGapMs) + hostPace.extraMs)
      if (backoffMs === 0 && newGapMs === hostPace.publishedGapMs) return null
      hostPace.publishedGapMs = newGapMs
      return { untilMs: backoffMs, gapMs: newGapMs }
    },
  }
}
