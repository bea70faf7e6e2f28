import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendProblem } from './problem.ts'

type Chunk = string | Uint8Array
type Bytes = AsyncIterable<Chunk>
export type DownloadLimits = {
  /** Downloads that one person has open at once in each process. */
  perPerson: number
  /** A reader who takes nothing for so long is gone. */
  idleSeconds: number
  /** However much is read: the connection of the database is wanted by others. */
  wholeSeconds: number
}

declare module 'fastify' {
  interface FastifyInstance {
    downloads: { limits: DownloadLimits; open: Map<string, number> }
  }
}

export function limitDownloads(app: FastifyInstance, limits: DownloadLimits): void {
  app.decorate('downloads', { limits, open: new Map<string, number>() })
}

/** So much at once: who takes one of these reads, however slowly. */
const pieceBytes = 64 * 1024

function* piecesOf(chunk: Chunk): Generator<Uint8Array> {
  const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
  for (let from = 0; from < bytes.length; from += pieceBytes) yield bytes.subarray(from, from + pieceBytes)
}

/** Hands bytes on, and calls `onIdle` when nobody asks for the next of them. */
async function* watched(
  first: IteratorResult<Chunk>,
  rest: AsyncIterator<Chunk>,
  idleMs: number,
  onIdle: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    for (let now = first; !now.done; now = await rest.next())
      for (const piece of piecesOf(now.value)) {
        const timer = setTimeout(onIdle, idleMs)
        try {
          yield piece
        } finally {
          clearTimeout(timer)
        }
      }
  } finally {
    await rest.return?.()
  }
}

/** Counts a download of a person. @returns how to end that, or null when the person has as many as allowed */
function enter({ limits, open }: FastifyInstance['downloads'], who: string): (() => void) | null {
  const now = open.get(who) ?? 0
  if (now >= limits.perPerson) return null
  open.set(who, now + 1)
  return () => {
    const left = (open.get(who) ?? 1) - 1
    if (left > 0) open.set(who, left)
    else open.delete(who)
  }
}

/**
 * Sends bytes as they come; what fails before the first of them is a problem like that of any other call. Each uses a connection of
 * the database until its reader has them: so a person has few of them at once, and who does not read, or reads for too long, is let
 * go. `who` is a person, or a network without one.
 */
export async function sendDownload(
  request: FastifyRequest,
  reply: FastifyReply,
  who: string,
  bytes: Bytes,
): Promise<FastifyReply> {
  const { limits } = request.server.downloads
  const leave = enter(request.server.downloads, who)
  if (!leave)
    return sendProblem(reply.header('retry-after', '10'), request.id, 'too-many-requests', {
      detail: `${limits.perPerson} downloads are open. Wait until one has ended.`,
    })
  const rest = bytes[Symbol.asyncIterator]()
  let first: IteratorResult<Chunk>
  try {
    first = await rest.next()
  } catch (error) {
    leave()
    throw error
  }
  const end = (why: string) => {
    request.log.warn({ route: request.routeOptions.url }, `A download is ended: ${why}.`)
    stream.destroy(new Error(why))
  }
  const idle = () => end(`nobody reads it (${limits.idleSeconds} s)`)
  const stream = Readable.from(watched(first, rest, limits.idleSeconds * 1000, idle), { objectMode: false })
  const whole = setTimeout(
    () => end(`it takes too long (${limits.wholeSeconds} s)`),
    limits.wholeSeconds * 1000,
  )
  stream.once('close', () => {
    clearTimeout(whole)
    leave()
    // Nobody has asked for the first piece: then the generator has not begun, and ends nothing.
    void Promise.resolve(rest.return?.()).catch(() => undefined)
  })
  // Also before the first byte is asked for.
  reply.raw.once('close', () => stream.destroy())
  if (reply.raw.destroyed) {
    stream.destroy()
    return reply.hijack()
  }
  return reply.send(stream)
}
