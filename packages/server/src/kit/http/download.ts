import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createOpenCount, type OpenCount } from './open-count.ts'
import { sendProblem } from './problem.ts'

type DownloadChunk = string | Uint8Array
type DownloadBytes = AsyncIterable<DownloadChunk>
export type DownloadLimits = {
  /** Maximum number of concurrent downloads of one person, per process. */
  perPerson: number
  /** A reader that takes nothing for this time is dropped. */
  idleSeconds: number
  /** Maximum duration of a download, since it occupies a database connection. */
  wholeSeconds: number
}

declare module 'fastify' {
  interface FastifyInstance {
    downloads: { limits: DownloadLimits; openDownloads: OpenCount }
  }
}

export function limitDownloads(app: FastifyInstance, limits: DownloadLimits): void {
  app.decorate('downloads', { limits, openDownloads: createOpenCount(Infinity) })
}

/** Small pieces, so that a slow reader is recognized as active. */
const maxPieceBytes = 64 * 1024

function* splitIntoPieces(chunk: DownloadChunk): Generator<Uint8Array> {
  const chunkBytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
  for (let offset = 0; offset < chunkBytes.length; offset += maxPieceBytes)
    yield chunkBytes.subarray(offset, offset + maxPieceBytes)
}

/** Passes bytes on, and calls `onIdle` if the next piece is not requested in time. */
async function* watchIdle(
  firstResult: IteratorResult<DownloadChunk>,
  remainingChunks: AsyncIterator<DownloadChunk>,
  idleMs: number,
  onIdle: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    for (let currentResult = firstResult; !currentResult.done; currentResult = await remainingChunks.next())
      for (const piece of splitIntoPieces(currentResult.value)) {
        const idleTimer = setTimeout(onIdle, idleMs)
        try {
          yield piece
        } finally {
          clearTimeout(idleTimer)
        }
      }
  } finally {
    await remainingChunks.return?.()
  }
}

/**
 * Streams a download. An error before the first byte becomes a problem. Each download uses a database connection until it is
 * read: the number per person is limited, and idle or slow readers are dropped. `downloaderKey`: a person, or a network.
 */
export async function sendDownload(
  request: FastifyRequest,
  reply: FastifyReply,
  downloaderKey: string,
  downloadBytes: DownloadBytes,
): Promise<FastifyReply> {
  const { limits, openDownloads } = request.server.downloads
  const releaseDownload = openDownloads.open(downloaderKey, limits.perPerson)
  if (!releaseDownload)
    return sendProblem(reply.header('retry-after', '10'), request.id, 'too-many-requests', {
      detail: `${limits.perPerson} downloads are open. Wait until one has ended.`,
    })
  const remainingChunks = downloadBytes[Symbol.asyncIterator]()
  let firstResult: IteratorResult<DownloadChunk>
  try {
    firstResult = await remainingChunks.next()
  } catch (error) {
    releaseDownload()
    throw error
  }
  const endDownload = (reason: string) => {
    request.log.warn({ route: request.routeOptions.url }, `A download is ended: ${reason}.`)
    byteStream.destroy(new Error(reason))
  }
  const endIdleDownload = () => endDownload(`no reader (${limits.idleSeconds} s)`)
  const byteStream = Readable.from(watchIdle(firstResult, remainingChunks, limits.idleSeconds * 1000, endIdleDownload), {
    objectMode: false,
  })
  const durationTimer = setTimeout(() => endDownload(`it takes too long (${limits.wholeSeconds} s)`), limits.wholeSeconds * 1000)
  byteStream.once('close', () => {
    clearTimeout(durationTimer)
    releaseDownload()
    // If no piece was requested, the generator has not started and cannot clean up itself.
    void Promise.resolve(remainingChunks.return?.()).catch(() => undefined)
  })
  // Also covers a disconnect before the first byte.
  reply.raw.once('close', () => byteStream.destroy())
  if (reply.raw.destroyed) {
    byteStream.destroy()
    return reply.hijack()
  }
  return reply.send(byteStream)
}
