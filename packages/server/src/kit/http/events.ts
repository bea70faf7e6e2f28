import type { FastifyReply } from 'fastify'
import type { EventsReply } from './answer.ts'

const pingIntervalMs = 10_000

/**
 * Sends server-sent events until the client disconnects, or until `endsAt` (ms since 1970), when its token expires: it
 * reconnects with a new one. Ends within seconds after `isStillAllowed` returns false, as for a revoked link or role.
 */
export function sendEvents(
  reply: FastifyReply,
  eventsReply: EventsReply,
  endsAt: number,
  isStillAllowed: () => Promise<boolean>,
): void {
  reply.hijack()
  const rawResponse = reply.raw
  rawResponse.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // Disables buffering of events in proxies like nginx.
    'x-accel-buffering': 'no',
  })
  const writeText = (eventText: string) => {
    // A client that does not read must not fill the memory: it is disconnected, and fetches again after reconnecting.
    if (rawResponse.writableLength > 1024 * 1024) rawResponse.destroy()
    else if (!rawResponse.destroyed) rawResponse.write(eventText)
  }
  writeText('retry: 2000\n\n')
  const stopEvents = eventsReply.start(
    (event) => writeText(`data: ${JSON.stringify(event)}\n\n`),
    () => rawResponse.end(),
  )
  if (rawResponse.destroyed) return stopEvents()
  const pingTimer = setInterval(() => {
    writeText(': ping\n\n')
    // A failed check is repeated at the next ping.
    void isStillAllowed().then(
      (isAllowed) => isAllowed || rawResponse.end(),
      () => undefined,
    )
  }, pingIntervalMs)
  const endTimer = setTimeout(
    () => rawResponse.end(),
    Math.min(Math.max(0, endsAt - Date.now()), 2 ** 31 - 1),
  )
  rawResponse.on('close', () => {
    clearInterval(pingTimer)
    clearTimeout(endTimer)
    stopEvents()
  })
}
