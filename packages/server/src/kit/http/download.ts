import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendProblem } from './problem.ts'

type Bytes = AsyncIterable<string | Uint8Array>
export type DownloadLimits = {
  /** Downloads that one person has open at once in each process. */
  perPerson: number
  /** A reader who takes nothing for so long is gone. */
  idleSeconds: number
}

declare module 'fastify' {
  interface FastifyInstance {
    downloads: { limits: DownloadLimits; open: Map<string, number> }
  }
}

export function limitDownloads(app: FastifyInstance, limits: DownloadLimits): void {
  app.decorate('downloads', { limits, open: new Map<string, number>() })
}

/** Hands bytes on, and calls `onIdle` when nobody asks for the next of them. */
async function* watched(bytes: Bytes, idleMs: number, onIdle: () => void): Bytes {
  for await (const chunk of bytes) {
    const timer = setTimeout(onIdle, idleMs)
    try {
      yield chunk
    } finally {
      clearTimeout(timer)
    }
  }
}

/**
 * Sends bytes as they come. Each uses a connection of the database until its reader has them: so a person has few of them
 * at once, and who does not read is let go. `who` is a person, or a network without one.
 */
export function sendDownload(
  request: FastifyRequest,
  reply: FastifyReply,
  who: string,
  bytes: Bytes,
): FastifyReply {
  const { limits, open } = request.server.downloads
  const now = open.get(who) ?? 0
  if (now >= limits.perPerson)
    return sendProblem(reply.header('retry-after', '10'), request.id, 'too-many-requests', {
      detail: `${now} downloads are open. Wait until one has ended.`,
    })
  open.set(who, now + 1)
  const idle = () => stream.destroy(new Error('Nobody reads the download'))
  const stream = Readable.from(watched(bytes, limits.idleSeconds * 1000, idle), { objectMode: false })
  stream.once('close', () => {
    const left = (open.get(who) ?? 1) - 1
    if (left > 0) open.set(who, left)
    else open.delete(who)
  })
  // Also before the first byte is asked for.
  reply.raw.once('close', () => stream.destroy())
  return reply.send(stream)
}
