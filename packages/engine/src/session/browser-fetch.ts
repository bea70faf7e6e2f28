import { withTimeout } from '../browser/deadline.ts'
import type { Guard } from '../guard/guard.ts'
import type { BrowserPool } from '../browser/pool.ts'
import type { Tab } from '../browser/tab.ts'
import { callInWorld, openWorld } from '../browser/isolated-world.ts'
import { arriveAtUrl } from '../crawl/visit/arrive.ts'
import type { FetchedFile, FetchFile } from '../guard/fetch.ts'
import type { BrowserSessions } from './browser-sessions.ts'

const arrivalTimeoutMs = 15_000
const fetchTimeoutMs = 60_000

type PageResponse = { status: number; type: string | null; modified: string | null; url: string; body: string | null }

/** Runs in the page: fetches a same-origin URL and returns the bytes as base64, null above the limit. */
async function fetchInPage(url: string, maxBytes: number): Promise<string> {
  const response = await fetch(url, { credentials: 'include' })
  const bodyReader = response.body?.getReader()
  const chunks: Uint8Array[] = []
  let receivedBytes = 0
  for (;;) {
    const chunkResult = await bodyReader?.read()
    if (!chunkResult || chunkResult.done) break
    chunks.push(chunkResult.value)
    receivedBytes += chunkResult.value.byteLength
    if (receivedBytes > maxBytes) break
  }
  let base64Body: string | null = null
  if (receivedBytes <= maxBytes) {
    const bodyBlob = new Blob(chunks as BlobPart[])
    base64Body = await new Promise<string>((resolve) => {
      const fileReader = new FileReader()
      fileReader.addEventListener('load', () => resolve((fileReader.result as string).split(',')[1] ?? ''))
      fileReader.readAsDataURL(bodyBlob)
    })
  }
  const readHeader = (name: string) => response.headers.get(name)
  return JSON.stringify({
    status: response.status,
    type: readHeader('content-type'),
    modified: readHeader('last-modified'),
    url: response.url,
    body: base64Body,
  })
}

async function fetchInTab(tab: Tab, guard: Guard, url: URL, maxBytes: number): Promise<FetchedFile> {
  // Any document of the origin works. One without a content security policy is best.
  const originArrival = await arriveAtUrl(tab, guard, new URL('/robots.txt', url).href, arrivalTimeoutMs)
  if (originArrival.kind === 'failed' && originArrival.status === null)
    return { ok: false, reason: originArrival.reason, detail: originArrival.detail }
  const isolatedWorld = await openWorld(tab.cdp, tab.mainFrameId, 'watch', 2000)
  const fetchExpression = `(${fetchInPage.toString()})(${JSON.stringify(url.href)}, ${maxBytes})`
  const callResult = isolatedWorld ? await callInWorld<string>(isolatedWorld, fetchExpression, fetchTimeoutMs) : null
  if (callResult?.kind === 'timeout') return { ok: false, reason: 'timeout-download', detail: `${url.href}: no answer in time` }
  if (callResult?.kind !== 'value')
    return {
      ok: false,
      reason: 'connection-failed',
      detail: `${url.href} could not be fetched as the page would`,
    }
  const {
    status,
    type: contentType,
    modified: lastModified,
    url: finalUrl,
    body: encodedBody,
  } = JSON.parse(callResult.value) as PageResponse
  if (encodedBody === null) return { ok: false, reason: 'too-large', detail: `${url.href} is larger than ${maxBytes} bytes` }
  return {
    ok: true,
    url: finalUrl,
    status,
    mimeType: contentType?.split(';', 1)[0]?.trim().toLowerCase() || null,
    lastModified,
    bytes: Buffer.from(encodedBody, 'base64'),
  }
}

/**
 * Fetches files in a page of the run, for sign-ins that require a browser (NTLM, Kerberos). Does not follow redirects
 * to another origin.
 */
export function openBrowserFetch(deps: { pool: BrowserPool; guard: Guard; sessions: () => BrowserSessions }): FetchFile {
  return async (urlText, maxBytes) => {
    const fileUrl = new URL(urlText)
    const signInResult = await deps.sessions().getBrowsing(fileUrl)
    if (signInResult.kind === 'failed') return { ok: false, reason: signInResult.reason, detail: signInResult.detail }
    const tabLease = await deps.pool.lease(signInResult.browsing, 'none')
    const fetchResult = await withTimeout(
      arrivalTimeoutMs + fetchTimeoutMs + 5000,
      fetchInTab(tabLease.tab, deps.guard, fileUrl, maxBytes),
    )
    await tabLease.releaseTab(false)
    return fetchResult.done
      ? fetchResult.value
      : { ok: false, reason: 'timeout-download', detail: `${urlText}: no answer in time` }
  }
}
