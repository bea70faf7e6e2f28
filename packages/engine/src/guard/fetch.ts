import net from 'node:net'
import tls from 'node:tls'
import { Agent, fetch } from 'undici'
import type { FailureReason } from '@clearway/contract/monitor/page/schema.ts'
import type { Dial } from '@clearway/contract/kit/dial.ts'
import { reasonOfGuard } from '../crawl/visit/net-error.ts'

export type Fetched = { ok: true; status: number; text: string } | { ok: false; why: string }
export type FetchText = (url: string, userAgent: string) => Promise<Fetched>

/** A file as it came, after redirects. */
export type FetchedFile =
  | {
      ok: true
      url: string
      status: number
      mimeType: string | null
      lastModified: string | null
      bytes: Buffer
    }
  | { ok: false; reason: FailureReason; detail: string }
export type FetchFile = (url: string, maxBytes: number) => Promise<FetchedFile>

/** How we identify ourselves to a site: what is sent to it besides the URL. */
export type Sender = {
  headersFor(url: URL): Record<string, string>
  /** A client's certificate, for hosts that may see it. */
  certificateFor(host: string): { cert: string; key: string } | null
}

/** What answered, after redirects; its body is not read. */
export type Probed =
  { ok: true; url: string; status: number } | { ok: false; reason: FailureReason; detail: string }

export type GuardedFetch = {
  fetchText: FetchText
  fetchFile: FetchFile
  /** @param signal ends it early */
  probe: (url: string, signal?: AbortSignal) => Promise<Probed>
  close: () => Promise<void>
}

const robotsBytes = 512 * 1024
const timeoutMs = 10_000
const fileTimeoutMs = 60_000
/** Somebody waits for it. */
const probeTimeoutMs = 5_000
const maxRedirects = 10

/** An error of the connection, with what it means for a page. */
class ConnectionError extends Error {
  readonly reason: FailureReason
  constructor(reason: FailureReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/** The name that a certificate must have: an address is not sent as a name, but still checked. */
const nameOf = (host: string) =>
  net.isIP(host.replace(/^\[|\]$/g, '')) ? { host: host.replace(/^\[|\]$/g, '') } : { servername: host }

const brokenCodes = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT'])
/** A connection that breaks during the handshake says nothing of the certificate, and may hold the next time. */
const reasonOfTls = (error: NodeJS.ErrnoException): FailureReason =>
  error.code && brokenCodes.has(error.code) ? 'connection-failed' : 'bad-certificate'

function openAgent(dial: Dial, sender: Sender): Agent {
  return new Agent({
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect(options, done) {
      const secure = options.protocol === 'https:'
      const port = Number(options.port || (secure ? 443 : 80))
      const connect = async (): Promise<net.Socket> => {
        const dialled = await dial(options.hostname, port)
        if (!dialled.ok) throw new ConnectionError(reasonOfGuard[dialled.problem], dialled.detail)
        if (!secure) return dialled.socket
        const socket = tls.connect({
          socket: dialled.socket,
          ...nameOf(options.servername ?? options.hostname),
          ...sender.certificateFor(`${options.hostname}:${port}`),
        })
        return new Promise((resolve, reject) => {
          // A server may accept and then say nothing, or a byte a second.
          const timer = setTimeout(() => {
            socket.destroy()
            const why = `${options.hostname}: no TLS connection within ${timeoutMs} ms`
            reject(new ConnectionError('timeout-download', why))
          }, timeoutMs)
          socket.once('secureConnect', () => {
            clearTimeout(timer)
            resolve(socket)
          })
          // Stays: whatever comes later is nobody's surprise.
          socket.on('error', (error) => {
            clearTimeout(timer)
            reject(new ConnectionError(reasonOfTls(error), `${options.hostname}: ${wordsOf(error)}`))
          })
        })
      }
      connect().then(
        (socket) => done(null, socket as tls.TLSSocket),
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), null),
      )
    },
  })
}

/** Node's message names all hosts of a certificate that is for others: these are the network's own. */
const wordsOf = (error: Error & { code?: string }): string =>
  error.code === 'ERR_TLS_CERT_ALTNAME_INVALID' ? 'the certificate is for another host' : error.message

/** What went wrong, and what that means; the connection's own error is the cause of the library's. */
function failureOf(error: unknown): { reason: FailureReason; detail: string } {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof ConnectionError) return { reason: at.reason, detail: at.message }
    if (at.name === 'TimeoutError') return { reason: 'timeout-download', detail: 'No answer in time' }
    if (!(at.cause instanceof Error)) return { reason: 'connection-failed', detail: at.message }
  }
  return { reason: 'connection-failed', detail: String(error) }
}

type Answer = Awaited<ReturnType<typeof fetch>>

async function readBody(answer: Answer, maxBytes: number): Promise<{ bytes: Buffer; cut: boolean }> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer.body ?? []) {
    chunks.push(chunk)
    size += chunk.byteLength
    if (size > maxBytes) break
  }
  return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), cut: size > maxBytes }
}

const within = (ms: number, early?: AbortSignal): AbortSignal =>
  early ? AbortSignal.any([AbortSignal.timeout(ms), early]) : AbortSignal.timeout(ms)

const nobody: Sender = { headersFor: () => ({}), certificateFor: () => null }

/**
 * Opens a way to fetch files (robots.txt, sitemaps, PDFs) past the browser, under the same address rule: the connection itself
 * is made by `dial`, so literal addresses and each hop of a redirect are judged too. What `sender` adds is decided for
 * each hop anew, so that nothing secret follows a redirect to a stranger.
 */
export function openFetch(dial: Dial, sender: Sender = nobody): GuardedFetch {
  const agent = openAgent(dial, sender)

  async function ask(address: string, headers: Record<string, string>, signal: AbortSignal): Promise<Answer> {
    let url = new URL(address)
    for (let hop = 0; ; hop++) {
      const answer = await fetch(url, {
        dispatcher: agent,
        redirect: 'manual',
        headers: { ...headers, ...sender.headersFor(url) },
        signal,
      })
      const location = answer.status >= 300 && answer.status < 400 ? answer.headers.get('location') : null
      const next = location === null ? null : URL.parse(location, url)
      if (!next) return answer
      await answer.body?.cancel()
      if (hop >= maxRedirects)
        throw new ConnectionError('redirect-loop', `More than ${maxRedirects} redirects`)
      if (!/^https?:$/.test(next.protocol))
        throw new ConnectionError('bad-url', `Redirects to ${next.protocol}`)
      url = next
    }
  }

  async function fetchText(url: string, userAgent: string): Promise<Fetched> {
    try {
      const headers = { 'user-agent': userAgent, accept: 'text/plain,*/*;q=0.1' }
      const answer = await ask(url, headers, within(timeoutMs))
      const { bytes } = await readBody(answer, robotsBytes)
      return { ok: true, status: answer.status, text: bytes.toString('utf8') }
    } catch (error) {
      return { ok: false, why: failureOf(error).detail }
    }
  }

  async function fetchFile(url: string, maxBytes: number): Promise<FetchedFile> {
    try {
      const answer = await ask(url, { accept: '*/*' }, within(fileTimeoutMs))
      const { bytes, cut } = await readBody(answer, maxBytes)
      if (cut) return { ok: false, reason: 'too-large', detail: `${url} is larger than ${maxBytes} bytes` }
      return {
        ok: true,
        url: answer.url || url,
        status: answer.status,
        mimeType: answer.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() || null,
        lastModified: answer.headers.get('last-modified'),
        bytes,
      }
    } catch (error) {
      return { ok: false, ...failureOf(error) }
    }
  }

  async function probe(url: string, signal?: AbortSignal): Promise<Probed> {
    try {
      const answer = await ask(url, { accept: '*/*' }, within(probeTimeoutMs, signal))
      await answer.body?.cancel()
      return { ok: true, url: answer.url || url, status: answer.status }
    } catch (error) {
      return { ok: false, ...failureOf(error) }
    }
  }
  return { fetchText, fetchFile, probe, close: () => agent.destroy() }
}
