import type { FastifyReply } from 'fastify'
import type { EventsAnswer } from './answer.ts'

const pingMs = 10_000

/**
 * Sends server-sent events until the client goes, or until `endsAt` (ms since 1970), when its token has run out:
 * it comes back with a new one. Ends within seconds when `stillMay` says no: a link was taken back, a role was lost.
 */
export function sendEvents(
  reply: FastifyReply,
  answer: EventsAnswer,
  endsAt: number,
  stillMay: () => Promise<boolean>,
): void {
  reply.hijack()
  const out = reply.raw
  out.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // Proxies of the nginx family would hold events back.
    'x-accel-buffering': 'no',
  })
  const write = (text: string) => {
    // A client that does not read must not fill the memory: it is let go, and fetches when it is back.
    if (out.writableLength > 1024 * 1024) out.destroy()
    else if (!out.destroyed) out.write(text)
  }
  write('retry: 2000\n\n')
  const stop = answer.start(
    (event) => write(`data: ${JSON.stringify(event)}\n\n`),
    () => out.end(),
  )
  if (out.destroyed) return stop()
  const ping = setInterval(() => {
    write(': ping\n\n')
    // What cannot be asked now is asked at the next ping.
    void stillMay().then(
      (may) => may || out.end(),
      () => undefined,
    )
  }, pingMs)
  const end = setTimeout(() => out.end(), Math.min(Math.max(0, endsAt - Date.now()), 2 ** 31 - 1))
  out.on('close', () => {
    clearInterval(ping)
    clearTimeout(end)
    stop()
  })
}
