import type { CDPSession } from 'playwright-core'

/** Headers that only some hosts may get. */
export type ScopedHeaders = {
  headers: readonly { name: string; value: string }[]
  allowed: (url: URL) => boolean
}

/**
 * Adds headers to the requests of a page, for each hop of a redirect anew: a host that is not allowed never sees them,
 * whatever leads to it.
 */
export async function sendScopedHeaders(cdp: CDPSession, { headers, allowed }: ScopedHeaders): Promise<void> {
  const names = new Set(headers.map(({ name }) => name.toLowerCase()))
  cdp.on('Fetch.requestPaused', ({ requestId, request }) => {
    const url = URL.parse(request.url)
    const added = url !== null && allowed(url)
    const kept = Object.entries(request.headers).filter(([name]) => !names.has(name.toLowerCase()))
    const all = [...kept.map(([name, value]) => ({ name, value })), ...headers]
    cdp.send('Fetch.continueRequest', { requestId, ...(added ? { headers: all } : {}) }).catch(() => {})
  })
  await cdp.send('Fetch.enable', {
    patterns: [
      { urlPattern: 'http://*', requestStage: 'Request' },
      { urlPattern: 'https://*', requestStage: 'Request' },
    ],
  })
}
