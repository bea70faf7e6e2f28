import net from 'node:net'
import tls from 'node:tls'
import type { Readable } from 'node:stream'
import { Agent, request } from 'undici'
import type { FailureReason } from '@clearway/contract/monitor/page/schema.ts'
import { collectBytes, decompress, isKnownEncoding } from './decompress.ts'
import type { DialHost } from './dial.ts'
import { guardReasons } from '../crawl/visit/net-error.ts'

/** A fetched text, with its URL after redirects. */
export type FetchedText =
  | { ok: true; url: string; status: number; text: string }
  | { ok: false; reason: FailureReason; why: string }
export type FetchText = (url: string, userAgent: string) => Promise<FetchedText>

/** A fetched file, after redirects. */
export type FetchedFile =
  | { ok: true; url: string; status: number; mimeType: string | null; lastModified: string | null; bytes: Buffer }
  /** `head`: the first bytes of a file above the limit, if they are known. */
  | { ok: false; reason: FailureReason; detail: string; head?: Buffer }
export type FetchFile = (url: string, maxBytes: number) => Promise<FetchedFile>

/** Identity presented to a site: everything sent besides the URL. */
export type Sender = {
  headersFor(url: URL): Record<string, string>
  /** Client certificate for hosts that may receive it. */
  certificateFor(host: string): { cert: string; key: string } | null
}

/** Response status and URL after redirects. The body is not read. */
export type ProbeResult = { ok: true; url: string; status: number } | { ok: false; reason: FailureReason; detail: string }

export type GuardedFetch = {
  fetchText: FetchText
  fetchFile: FetchFile
  /** @param signal aborts the probe */
  probe: (url: string, signal?: AbortSignal) => Promise<ProbeResult>
  close: () => Promise<void>
}

const maxRobotsBytes = 512 * 1024
const timeoutMs = 10_000
const fileTimeoutMs = 60_000
/** Short because a user is waiting. */
const probeTimeoutMs = 5_000
const maxRedirects = 10
/** Maximum number of encodings of one body. */
const maxEncodings = 3
const cutDetail = 'The answer is cut off: its compressed data has no end'
/** Without Zstandard, which not every supported version of Node can decompress, and without the two forms of deflate. */
const acceptedEncodings = 'br, gzip'

/** A connection error with the failure reason for the page. */
class ConnectionError extends Error {
  readonly reason: FailureReason
  constructor(reason: FailureReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/** Returns the name to verify in the certificate. IP addresses are not sent as server names, but are still checked. */
const buildTlsName = (host: string) =>
  net.isIP(host.replace(/^\[|\]$/g, '')) ? { host: host.replace(/^\[|\]$/g, '') } : { servername: host }

const brokenConnectionCodes = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT'])
/** A connection that breaks during the handshake proves nothing about the certificate and may succeed on retry. */
const toTlsFailureReason = (error: NodeJS.ErrnoException): FailureReason =>
  error.code && brokenConnectionCodes.has(error.code) ? 'connection-failed' : 'bad-certificate'

function openAgent(dial: DialHost, sender: Sender): Agent {
  return new Agent({
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect(options, onConnected) {
      const isSecure = options.protocol === 'https:'
      const port = Number(options.port || (isSecure ? 443 : 80))
      const connectSocket = async (): Promise<net.Socket> => {
        const dialResult = await dial(options.hostname, port)
        if (!dialResult.ok) throw new ConnectionError(guardReasons[dialResult.problem], dialResult.detail)
        if (!isSecure) return dialResult.socket
        const tlsSocket = tls.connect({
          socket: dialResult.socket,
          ...buildTlsName(options.servername ?? options.hostname),
          ...sender.certificateFor(`${options.hostname}:${port}`),
        })
        return new Promise((resolve, reject) => {
          // A server may accept the connection and then send nothing, or one byte per second.
          const handshakeTimer = setTimeout(() => {
            tlsSocket.destroy()
            const timeoutDetail = `${options.hostname}: no TLS connection within ${timeoutMs} ms`
            reject(new ConnectionError('timeout-download', timeoutDetail))
          }, timeoutMs)
          tlsSocket.once('secureConnect', () => {
            clearTimeout(handshakeTimer)
            resolve(tlsSocket)
          })
          // Never removed, so that later errors are handled, too.
          tlsSocket.on('error', (error) => {
            clearTimeout(handshakeTimer)
            reject(new ConnectionError(toTlsFailureReason(error), `${options.hostname}: ${describeTlsError(error)}`))
          })
        })
      }
      connectSocket().then(
        (socket) => onConnected(null, socket as tls.TLSSocket),
        (error: unknown) => onConnected(error instanceof Error ? error : new Error(String(error)), null),
      )
    },
  })
}

/** Node's message lists all hosts of a certificate for another host, which may be internal names. */
const describeTlsError = (error: Error & { code?: string }): string =>
  error.code === 'ERR_TLS_CERT_ALTNAME_INVALID' ? 'the certificate is for another host' : error.message

/** Returns the failure reason and its detail. The connection's own error is the cause of the library's error. */
function toFailure(error: unknown): { reason: FailureReason; detail: string } {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ConnectionError) return { reason: cause.reason, detail: cause.message }
    if (cause.name === 'TimeoutError') return { reason: 'timeout-download', detail: 'No answer in time' }
    if (!(cause.cause instanceof Error)) return { reason: 'connection-failed', detail: cause.message }
  }
  return { reason: 'connection-failed', detail: String(error) }
}

/** A response after redirects. `body` is compressed as its header says. */
type FetchResponse = { url: string; status: number; getHeader(name: string): string | null; body: Readable }

async function readBody(response: FetchResponse, maxBytes: number): Promise<{ bytes: Buffer; isTruncated: boolean }> {
  const received = await collectBytes(response.body, maxBytes)
  let { bytes, isTruncated } = received
  const encodings = (response.getHeader('content-encoding') ?? '').toLowerCase().split(',', maxEncodings)
  for (const encoding of encodings
    .map((name) => name.trim())
    .filter(isKnownEncoding)
    .reverse()) {
    const unpacked = await decompress(bytes, encoding, maxBytes)
    if (unpacked.isCut && !isTruncated) throw new ConnectionError('connection-failed', cutDetail)
    isTruncated ||= unpacked.isTruncated
    bytes = unpacked.bytes
  }
  return { bytes, isTruncated }
}

const createDeadline = (limitMs: number, abortSignal?: AbortSignal): AbortSignal =>
  abortSignal ? AbortSignal.any([AbortSignal.timeout(limitMs), abortSignal]) : AbortSignal.timeout(limitMs)

const anonymousSender: Sender = { headersFor: () => ({}), certificateFor: () => null }

async function requestOnce(
  dispatcher: Agent,
  url: URL,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<FetchResponse> {
  const response = await request(url, { dispatcher, headers, signal })
  const { body } = response
  // Destroying a body is an error of it; reading one reports its errors anyway.
  body.on('error', () => undefined)
  const getHeader = (name: string): string | null => {
    const value = response.headers[name]
    return Array.isArray(value) ? value.join(', ') : (value ?? null)
  }
  return { url: url.href, status: response.statusCode, getHeader, body }
}

/**
 * Opens a client for files (robots.txt, sitemaps, PDFs) that bypasses the browser but applies the same address rule:
 * `dial` makes the connections, so literal addresses and redirect hops are checked, too. `sender` decides for each hop,
 * so that secrets never follow a redirect to another site.
 */
export function openFetch(dial: DialHost, sender: Sender = anonymousSender): GuardedFetch {
  const guardedAgent = openAgent(dial, sender)

  async function followRedirects(startUrl: string, headers: Record<string, string>, signal: AbortSignal): Promise<FetchResponse> {
    let currentUrl = new URL(startUrl)
    for (let redirectCount = 0; ; redirectCount++) {
      const requestHeaders = { 'accept-encoding': acceptedEncodings, ...headers, ...sender.headersFor(currentUrl) }
      const response = await requestOnce(guardedAgent, currentUrl, requestHeaders, signal)
      const location = response.status >= 300 && response.status < 400 ? response.getHeader('location') : null
      const nextUrl = location === null ? null : URL.parse(location, currentUrl)
      if (!nextUrl) return response
      response.body.destroy()
      if (redirectCount >= maxRedirects) throw new ConnectionError('redirect-loop', `More than ${maxRedirects} redirects`)
      if (!/^https?:$/.test(nextUrl.protocol)) throw new ConnectionError('bad-url', `Redirects to ${nextUrl.protocol}`)
      currentUrl = nextUrl
    }
  }

  async function fetchText(url: string, userAgent: string): Promise<FetchedText> {
    try {
      const requestHeaders = { 'user-agent': userAgent, accept: 'text/plain,*/*;q=0.1' }
      const response = await followRedirects(url, requestHeaders, createDeadline(timeoutMs))
      const { bytes } = await readBody(response, maxRobotsBytes)
      return { ok: true, url: response.url, status: response.status, text: bytes.toString('utf8') }
    } catch (error) {
      const { reason, detail } = toFailure(error)
      return { ok: false, reason, why: detail }
    }
  }

  async function fetchFile(url: string, maxBytes: number): Promise<FetchedFile> {
    try {
      const response = await followRedirects(url, { accept: '*/*' }, createDeadline(fileTimeoutMs))
      const { bytes, isTruncated } = await readBody(response, maxBytes)
      if (isTruncated) return { ok: false, reason: 'too-large', detail: `${url} is larger than ${maxBytes} bytes`, head: bytes }
      return {
        ok: true,
        url: response.url,
        status: response.status,
        mimeType: response.getHeader('content-type')?.split(';', 1)[0]?.trim().toLowerCase() || null,
        lastModified: response.getHeader('last-modified'),
        bytes,
      }
    } catch (error) {
      return { ok: false, ...toFailure(error) }
    }
  }

  async function probe(url: string, signal?: AbortSignal): Promise<ProbeResult> {
    try {
      const response = await followRedirects(url, { accept: '*/*' }, createDeadline(probeTimeoutMs, signal))
      response.body.destroy()
      return { ok: true, url: response.url, status: response.status }
    } catch (error) {
      return { ok: false, ...toFailure(error) }
    }
  }
  return { fetchText, fetchFile, probe, close: () => guardedAgent.destroy() }
}
