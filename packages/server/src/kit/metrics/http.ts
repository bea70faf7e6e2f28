import { Histogram } from 'prom-client'
import { registry } from './registry.ts'

const answers = new Histogram({
  name: 'clearway_http_request_duration_seconds',
  help: 'Time of answers by the pattern of their route. Of event streams it is how long they were open.',
  labelNames: ['method', 'route', 'code'],
  buckets: [0.01, 0.03, 0.1, 0.3, 1, 3, 10],
  registers: [registry],
})

/** Counts an answer. @param route a pattern, never a URL; null for what no route fits */
export const countAnswer = (
  call: { method: string; route: string | null; code: number },
  seconds: number,
): void =>
  answers.observe(
    // A stranger may send any method to no route.
    { method: call.route === null ? 'any' : call.method, route: call.route ?? 'none', code: call.code },
    seconds,
  )
