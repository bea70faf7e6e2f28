import { AsyncLocalStorage } from 'node:async_hooks'

/** A span of a trace, with its ids for headers and log lines (W3C Trace Context). */
export type Span = {
  traceId: string
  spanId: string
  traceparent: string
  end: (attributes?: SpanAttributes, failed?: boolean) => void
}
type SpanAttributes = Readonly<Record<string, string | number>>
export type SpanOptions = {
  /** `traceparent` of the caller; the current span if omitted. */
  parent?: string | null
  /** True for a call of another program. */
  server?: boolean
  /** Milliseconds since 1970; now if omitted. */
  startedAt?: number
  attributes?: SpanAttributes
}
export type BeginSpan = (name: string, options: SpanOptions) => Span

const activeSpan = new AsyncLocalStorage<Span>()
let createSpan: BeginSpan | null = null

/** Enables tracing in this process, or disables it with null. It is disabled by default. */
export const setSpanFactory = (spanFactory: BeginSpan | null): void => void (createSpan = spanFactory)

/** Starts a span that the caller ends; null while tracing is disabled. */
export const startSpan = (name: string, options: SpanOptions): Span | null =>
  createSpan && createSpan(name, { ...options, parent: options.parent ?? getTraceparent() })

/** Runs `work`, including its asynchronous parts, within a span. */
export const runInSpan = <T>(span: Span | null, work: () => T): T => (span ? activeSpan.run(span, work) : work())

export async function traceWork<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  const newSpan = startSpan(name, options)
  if (!newSpan) return work()
  let hasFailed = true
  try {
    const workResult = await activeSpan.run(newSpan, work)
    hasFailed = false
    return workResult
  } finally {
    newSpan.end({}, hasFailed)
  }
}

/** The `traceparent` of the current span, for other processes; null without one. */
export const getTraceparent = (): string | null => activeSpan.getStore()?.traceparent ?? null

export function getLogTraceFields(): { trace_id?: string; span_id?: string } {
  const currentSpan = activeSpan.getStore()
  return currentSpan ? { trace_id: currentSpan.traceId, span_id: currentSpan.spanId } : {}
}
