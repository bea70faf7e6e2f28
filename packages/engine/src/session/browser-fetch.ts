import { withTimeout } from '../browser/deadline.ts'
import type { Guard } from '../guard/guard.ts'
import type { BrowserPool } from '../browser/pool.ts'
import type { Tab } from '../browser/tab.ts'
import { callInWorld, openWorld } from '../browser/world.ts'
import { arrive } from '../crawl/visit/arrive.ts'
import type { FetchedFile, FetchFile } from '../guard/fetch.ts'
import type { BrowserSessions } from './browser-sessions.ts'

const arriveMs = 15_000
const fetchMs = 60_000

type Answer = {
  status: number
  type: string | null
  modified: string | null
  url: string
  body: string | null
}

/** Runs in the page: fetches a URL of its own origin and answers the bytes as base64, null above the limit. */
async function fetchInPage(url: string, most: number): Promise<string> {
  const response = await fetch(url, { credentials: 'include' })
  const reader = response.body?.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const part = await reader?.read()
    if (!part || part.done) break
    chunks.push(part.value)
    size += part.value.byteLength
    if (size > most) break
  }
  let body: string | null = null
  if (size <= most) {
    const blob = new Blob(chunks as BlobPart[])
    body = await new Promise<string>((resolve) => {
      const file = new FileReader()
      file.addEventListener('load', () => resolve((file.result as string).split(',')[1] ?? ''))
      file.readAsDataURL(blob)
    })
  }
  const header = (name: string) => response.headers.get(name)
  return JSON.stringify({
    status: response.status,
    type: header('content-type'),
    modified: header('last-modified'),
    url: response.url,
    body,
  })
}

async function fetchWith(tab: Tab, guard: Guard, url: URL, maxBytes: number): Promise<FetchedFile> {
  // Any document of the origin will do, and one without a policy of its own is best.
  const arrival = await arrive(tab, guard, new URL('/robots.txt', url).href, arriveMs)
  if (arrival.kind === 'failed' && arrival.status === null)
    return { ok: false, reason: arrival.reason, detail: arrival.detail }
  const world = await openWorld(tab.cdp, tab.mainFrameId, 'watch', 2000)
  const program = `(${fetchInPage.toString()})(${JSON.stringify(url.href)}, ${maxBytes})`
  const answer = world ? await callInWorld<string>(world, program, fetchMs) : null
  if (answer?.kind === 'timeout')
    return { ok: false, reason: 'timeout-download', detail: `${url.href}: no answer in time` }
  if (answer?.kind !== 'value')
    return {
      ok: false,
      reason: 'connection-failed',
      detail: `${url.href} could not be fetched as the page would`,
    }
  const { status, type, modified, url: final, body } = JSON.parse(answer.value) as Answer
  if (body === null)
    return { ok: false, reason: 'too-large', detail: `${url.href} is larger than ${maxBytes} bytes` }
  return {
    ok: true,
    url: final,
    status,
    mimeType: type?.split(';', 1)[0]?.trim().toLowerCase() || null,
    lastModified: modified,
    bytes: Buffer.from(body, 'base64'),
  }
}

/**
 * Fetches files as a page of the run would: for sign-ins that only a browser can do (NTLM, Kerberos). A redirect to
 * another origin is not followed.
 */
export function openBrowserFetch(deps: {
  pool: BrowserPool
  guard: Guard
  sessions: () => BrowserSessions
}): FetchFile {
  return async (text, maxBytes) => {
    const url = new URL(text)
    const signed = await deps.sessions().browsingFor(url)
    if (signed.kind === 'failed') return { ok: false, reason: signed.reason, detail: signed.detail }
    const lease = await deps.pool.lease(signed.browsing, 'none')
    const fetched = await withTimeout(arriveMs + fetchMs + 5000, fetchWith(lease.tab, deps.guard, url, maxBytes))
    await lease.releaseTab(false)
    return fetched.done
      ? fetched.value
      : { ok: false, reason: 'timeout-download', detail: `${text}: no answer in time` }
  }
}
