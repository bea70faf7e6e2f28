import type { Config } from '../config.ts'
import { keepTraces } from '../kit/trace/span.ts'
import { productVersion } from './version.ts'

/** Sends traces of this process where the settings want that. Others never load what that takes. */
export async function startTraces(config: Config): Promise<{ stop: () => Promise<void> }> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_HEADERS: headers } = config
  if (url === null) return { stop: () => Promise.resolve() }
  const { openTraces } = await import('../kit/trace/otlp.ts')
  const { begin, stop } = openTraces({
    url,
    headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
    percent: config.CLEARWAY_TRACE_PERCENT,
    version: productVersion(),
    log: (message) => console.error(message),
  })
  keepTraces(begin)
  return {
    stop: () => {
      keepTraces(null)
      return stop()
    },
  }
}
