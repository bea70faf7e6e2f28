import tls from 'node:tls'
import { Agent, fetch } from 'undici'
import type { Dial } from '../browser/dial.ts'

export type Fetched = { ok: true; status: number; text: string } | { ok: false; why: string }

export type FetchText = (url: string, userAgent: string) => Promise<Fetched>

const maxBytes = 512 * 1024
const timeoutMs = 10_000

/**
 * Opens a way to fetch small texts (robots.txt) past the browser, under the same address rule: the connection itself is
 * made by `dial`, so literal addresses and each hop of a redirect are judged too.
 */
export function openFetch(dial: Dial): { fetchText: FetchText; close: () => Promise<void> } {
  const agent = new Agent({
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect(options, done) {
      const secure = options.protocol === 'https:'
      void dial(options.hostname, Number(options.port || (secure ? 443 : 80))).then((dialled) => {
        if (!dialled.ok) return done(new Error(dialled.detail), null)
        if (!secure) return done(null, dialled.socket)
        const socket = tls.connect({
          socket: dialled.socket,
          servername: options.servername ?? options.hostname,
        })
        socket.once('secureConnect', () => done(null, socket))
        socket.once('error', (error) => done(error, null))
      })
    },
  })

  async function fetchText(url: string, userAgent: string): Promise<Fetched> {
    try {
      const response = await fetch(url, {
        dispatcher: agent,
        headers: { 'user-agent': userAgent, accept: 'text/plain,*/*;q=0.1' },
        signal: AbortSignal.timeout(timeoutMs),
      })
      const chunks: Uint8Array[] = []
      let size = 0
      for await (const chunk of response.body ?? []) {
        chunks.push(chunk)
        size += chunk.byteLength
        if (size > maxBytes) break
      }
      return { ok: true, status: response.status, text: Buffer.concat(chunks).toString('utf8', 0, maxBytes) }
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
      return { ok: false, why: cause instanceof Error ? cause.message : String(cause) }
    }
  }
  return { fetchText, close: () => agent.destroy() }
}
