import type { Config } from '../config.ts'
import { writeLogLine } from '../kit/log.ts'
import { setSpanFactory } from '../kit/trace/span.ts'
import { readProductVersion } from './version.ts'

/** Exports traces of this process, if configured. Other processes never load the exporter. */
export async function startTraces(config: Config): Promise<{ stop: () => Promise<void> }> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpointUrl, OTEL_EXPORTER_OTLP_HEADERS: endpointHeaders } = config
  if (endpointUrl === null) return { stop: () => Promise.resolve() }
  const { openTraces } = await import('../kit/trace/otlp.ts')
  const { begin: beginSpan, stop: stopExport } = openTraces({
    url: endpointUrl,
    headers: Object.fromEntries(endpointHeaders.map(({ name, value }) => [name, value])),
    percent: config.CLEARWAY_TRACE_PERCENT,
    version: readProductVersion(),
    log: (message) => writeLogLine('warn', message),
  })
  setSpanFactory(beginSpan)
  return {
    stop: () => {
      setSpanFactory(null)
      return stopExport()
    },
  }
}
