import { EventSourceParserStream } from 'eventsource-parser/stream'
import { type ClientDeps, sendRequest } from './client.ts'

/**
 * Streams server-sent events over fetch: EventSource cannot send a token. Sends POST if there is a body.
 * @throws ApiError if the request is refused or the connection breaks
 */
export async function* streamEvents<T>(
  clientDeps: ClientDeps,
  requestUrl: string,
  signal: AbortSignal,
  body?: unknown,
): AsyncGenerator<T> {
  const httpMethod = body === undefined ? 'GET' : 'POST'
  const response = await sendRequest(clientDeps, requestUrl, { method: httpMethod, accept: 'text/event-stream', signal, body })
  if (!response.body) return
  const eventMessages = response.body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array<ArrayBuffer>>)
    .pipeThrough(new EventSourceParserStream())
  const messageReader = eventMessages.getReader()
  try {
    for (let readResult = await messageReader.read(); !readResult.done; readResult = await messageReader.read())
      if (readResult.value.data) yield JSON.parse(readResult.value.data) as T
  } finally {
    await messageReader.cancel().catch(() => undefined)
  }
}
