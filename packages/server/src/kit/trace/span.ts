import { AsyncLocalStorage } from 'node:async_hooks'

/** A piece of work in a trace, and how others name it: the headers and log lines of W3C Trace Context. */
export type Span = {
  traceId: string
  spanId: string
  traceparent: string
  end: (attributes?: Attributes, failed?: boolean) => void
}
type Attributes = Readonly<Record<string, string | number>>
export type SpanOptions = {
  /** `traceparent` of what asked for this; left out, the span in which it happens. */
  parent?: string | null
  /** Of another program's call, not of our own doing. */
  server?: boolean
  /** Milliseconds since 1970; left out, now. */
  startedAt?: number
  attributes?: Attributes
}
export type BeginSpan = (name: string, options: SpanOptions) => Span

const active = new AsyncLocalStorage<Span>()
let begin: BeginSpan | null = null

/** Begins to keep traces of what this process does, or ends it by null. Until then all of this does nothing. */
export const keepTraces = (by: BeginSpan | null): void => void (begin = by)

/** A span that somebody ends; null while no traces are kept. */
export const beginSpan = (name: string, options: SpanOptions): Span | null =>
  begin && begin(name, { ...options, parent: options.parent ?? traceparent() })

/** Does `work`, and all that it waits for, as a part of a span. */
export const within = <T>(span: Span | null, work: () => T): T => (span ? active.run(span, work) : work())

/** Does `work` as a span of its own. */
export async function traced<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  const span = beginSpan(name, options)
  if (!span) return work()
  let failed = true
  try {
    const result = await active.run(span, work)
    failed = false
    return result
  } finally {
    span.end({}, failed)
  }
}

/** How another process names the span that we are in; null without one. */
export const traceparent = (): string | null => active.getStore()?.traceparent ?? null

/** What a log line says of the trace that it belongs to. */
export function traceOfLine(): { trace_id?: string; span_id?: string } {
  const span = active.getStore()
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {}
}
