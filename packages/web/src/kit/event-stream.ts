import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { ClientDeps } from './client.ts'
import { send } from './client.ts'

/**
 * Server-sent events over fetch, because EventSource cannot carry a token. Ends when the server closes the
 * stream; throws ApiError when it is refused, and when the connection breaks.
 */
export async function* eventStream<T>(
  deps: ClientDeps,
  address: string,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const response = await send(deps, address, { method: 'GET', accept: 'text/event-stream', signal })
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
