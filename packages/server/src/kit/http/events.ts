import type { FastifyReply } from 'fastify'
import { type EventsReply, type Refusal, refuse } from './answer.ts'
import { createOpenCount } from './open-count.ts'

const pingIntervalMs = 10_000

/** Each stream holds a connection, and checks access in the database at each ping. */
const maxStreams = 2000
const maxStreamsPerPerson = 20
/** Many guests may share one link. */
const maxStreamsPerLink = 100
const openStreams = createOpenCount(maxStreams)

/** The caller whose streams are counted together: a person, or all guests of one scan. */
export type StreamOwner = { key: string; isShared: boolean }

/** A counted stream. It is released when its client disconnects, or by the caller while no reply was sent. */
export type OpenedStream = { release: () => void; isSent: boolean }

/** Counts a stream before its handler starts any work. @returns the refusal if the caller has its maximum */
export function openStream(streamOwner: StreamOwner): OpenedStream | Refusal {
  const maxOwnStreams = streamOwner.isShared ? maxStreamsPerLink : maxStreamsPerPerson
  const release = openStreams.open(streamOwner.key, maxOwnStreams)
  if (release) return { release, isSent: false }
  return refuse('too-many-requests', { detail: `${maxOwnStreams} streams are open. Wait until one has ended.` })
}

/**
 * Sends server-sent events until the client disconnects, or until `endsAt` (ms since 1970), when its token expires: it
 * reconnects with a new one. Ends within seconds after `isStillAllowed` returns false, as for a revoked link or role.
 */
export function sendEvents(
  reply: FastifyReply,
  eventsReply: EventsReply,
  openedStream: OpenedStream,
  endsAt: number,
  isStillAllowed: () => Promise<boolean>,
): void {
  openedStream.isSent = true
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
    // Nothing more will come: a client that reconnects by itself waits for a day.
    () => rawResponse.end('retry: 86400000\n\n'),
  )
  const endStream = () => {
    openedStream.release()
    stopEvents()
  }
  if (rawResponse.destroyed) return endStream()
  const pingTimer = setInterval(() => {
    writeText(': ping\n\n')
    // A failed check is repeated at the next ping.
    void isStillAllowed().then(
      (isAllowed) => isAllowed || rawResponse.end(),
      () => undefined,
    )
  }, pingIntervalMs)
  const endTimer = setTimeout(() => rawResponse.end(), Math.min(Math.max(0, endsAt - Date.now()), 2 ** 31 - 1))
  rawResponse.on('close', () => {
    clearInterval(pingTimer)
    clearTimeout(endTimer)
    endStream()
  })
}
