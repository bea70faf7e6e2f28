import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { ClientDeps } from './client.ts'
import { send } from './client.ts'

/**
 * Server-sent events over fetch, because EventSource cannot carry a token. Ends when the server closes the
 * stream; throws ApiError when it is refused, and when the connection breaks. With a body it is a POST.
 */
export async function* eventStream<T>(
  deps: ClientDeps,
  url: string,
  signal: AbortSignal,
  body?: unknown,
): AsyncGenerator<T> {
  const method = body === undefined ? 'GET' : 'POST'
  const response = await send(deps, url, { method, accept: 'text/event-stream', signal, body })
  if (!response.body) return
  const events = response.body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array<ArrayBuffer>>)
    .pipeThrough(new EventSourceParserStream())
  const reader = events.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read())
      if (next.value.data) yield JSON.parse(next.value.data) as T
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
