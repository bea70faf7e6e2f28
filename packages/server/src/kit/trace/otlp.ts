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

export type TraceExport = { begin: BeginSpan; stop: () => Promise<void> }

const stopTimeoutMs = 3000
const logIntervalMs = 60_000

/** Logs failed exports, at most once a minute. */
function withFailureLog(exporter: OTLPTraceExporter, log: (message: string) => void): SpanExporter {
  let lastLoggedAt = -Infinity
  return {
    export: (spans, callback) =>
      exporter.export(spans, (result) => {
        if (result.error && performance.now() - lastLoggedAt > logIntervalMs) {
          lastLoggedAt = performance.now()
          log(`traces: ${spans.length} spans were not taken: ${result.error.message}`)
        }
        callback(result)
      }),
    shutdown: () => exporter.shutdown(),
  }
}

/** Parses `traceparent` into a context: `00-<trace>-<span>-<flags>`. */
function parseParentContext(traceparent: string | null | undefined) {
  if (!traceparent) return ROOT_CONTEXT
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-')
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true })
}

/**
 * Exports spans to a collector by OTLP over HTTP, in batches in the background; refused spans are lost.
 * @param options.url base URL, to which `/v1/traces` is added
 * @param options.percent share of traces to keep, by trace id, so that all processes keep the same ones
 */
export function openTraces(options: {
  url: string
  headers: Readonly<Record<string, string>>
  percent: number
  version: string
  log: (message: string) => void
}): TraceExport {
  const ratioSampler = new TraceIdRatioBasedSampler(options.percent / 100)
  const tracesUrl = `${options.url.replace(/\/$/, '')}/v1/traces`
  const traceExporter = withFailureLog(new OTLPTraceExporter({ url: tracesUrl, headers: { ...options.headers } }), options.log)
  const tracerProvider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'clearway', 'service.version': options.version }),
    // Callers may opt out of a trace, but cannot force one to be kept.
    sampler: new ParentBasedSampler({ root: ratioSampler, remoteParentSampled: ratioSampler }),
    spanProcessors: [new BatchSpanProcessor({ exporter: traceExporter })],
  })
  const clearwayTracer = tracerProvider.getTracer('clearway')
  return {
    begin: (name, { parent, server, startedAt, attributes }) => {
      const spanKind = server ? SpanKind.SERVER : SpanKind.INTERNAL
      const startTime = startedAt === undefined ? {} : { startTime: startedAt }
      const otelSpan = clearwayTracer.startSpan(
        name,
        { kind: spanKind, ...startTime, attributes: { ...attributes } },
        parseParentContext(parent),
      )
      const { traceId, spanId, traceFlags } = otelSpan.spanContext()
      return {
        traceId,
        spanId,
        traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
        end: (endAttributes, failed) => {
          if (endAttributes) otelSpan.setAttributes(endAttributes)
          if (failed) otelSpan.setStatus({ code: SpanStatusCode.ERROR })
          otelSpan.end()
        },
      }
    },
    stop: () => {
      const timeout = new Promise<void>((resolve) => void setTimeout(resolve, stopTimeoutMs).unref())
      // Failed exports are already logged.
      return Promise.race([tracerProvider.shutdown().catch(() => undefined), timeout])
    },
  }
}
