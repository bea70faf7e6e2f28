import { Histogram } from 'prom-client'
import { metricsRegistry } from './registry.ts'

const requestDurations = new Histogram({
  name: 'clearway_http_request_duration_seconds',
  help: 'Time of answers by the pattern of their route. Of event streams it is how long they were open.',
  labelNames: ['method', 'route', 'code'],
  buckets: [0.01, 0.03, 0.1, 0.3, 1, 3, 10],
  registers: [metricsRegistry],
})

/** Records the duration of a reply. @param route a pattern, never a URL; null if no route matches */
export const recordReply = (call: { method: string; route: string | null; code: number }, seconds: number): void =>
  requestDurations.observe(
    // Without a route, clients could send arbitrary methods, and create as many time series.
    { method: call.route === null ? 'any' : call.method, route: call.route ?? 'none', code: call.code },
    seconds,
  )
