import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { BeginSpan } from './span.ts'

export type Traces = { begin: BeginSpan; stop: () => Promise<void> }

const stopMs = 3000
const complainMs = 60_000

/** Says once a minute at most that spans could not be sent. */
function complaining(exporter: OTLPTraceExporter, log: (message: string) => void): SpanExporter {
  let last = -Infinity
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error && performance.now() - last > complainMs) {
          last = performance.now()
          log(`traces: ${spans.length} spans were not taken: ${result.error.message}`)
        }
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
  }
}

/** The context that `traceparent` names: `00-<trace>-<span>-<flags>`. */
function contextOf(traceparent: string | null | undefined) {
  if (!traceparent) return ROOT_CONTEXT
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-')
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
  })
}

/**
 * Sends spans to a collector by OTLP over HTTP, in batches and in the background; what it does not take is lost.
 * @param options.url base URL: `/v1/traces` is added
 * @param options.percent of traces that are kept, by their id, so that every process keeps the same ones
 */
export function openTraces(options: {
  url: string
  headers: Readonly<Record<string, string>>
  percent: number
  version: string
  log: (message: string) => void
}): Traces {
  const share = new TraceIdRatioBasedSampler(options.percent / 100)
  const url = `${options.url.replace(/\/$/, '')}/v1/traces`
  const exporter = complaining(new OTLPTraceExporter({ url, headers: { ...options.headers } }), options.log)
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'clearway', 'service.version': options.version }),
    // A caller may ask for no trace; asking for one does not make it kept.
    sampler: new ParentBasedSampler({ root: share, remoteParentSampled: share }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('clearway')
  return {
    begin: (name, { parent, server, startedAt, attributes }) => {
      const kind = server ? SpanKind.SERVER : SpanKind.INTERNAL
      const started = startedAt === undefined ? {} : { startTime: startedAt }
      const span = tracer.startSpan(
        name,
        { kind, ...started, attributes: { ...attributes } },
        contextOf(parent),
      )
      const { traceId, spanId, traceFlags } = span.spanContext()
      return {
        traceId,
        spanId,
        traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
        end: (more, failed) => {
          if (more) span.setAttributes(more)
          if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
    stop: () => {
      const limit = new Promise<void>((done) => void setTimeout(done, stopMs).unref())
      // What could not be sent has been said.
      return Promise.race([provider.shutdown().catch(() => undefined), limit])
    },
  }
}
