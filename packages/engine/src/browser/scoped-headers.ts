import type { CDPSession } from 'playwright-core'

/** Headers restricted to certain hosts. */
export type ScopedHeaders = { headers: readonly { name: string; value: string }[]; allowed: (url: URL) => boolean }

/**
 * Adds headers to the requests of a page. Each hop of a redirect is checked again, so a host that is not allowed never
 * receives them.
 */
export async function sendScopedHeaders(cdp: CDPSession, { headers, allowed }: ScopedHeaders): Promise<void> {
  const headerNames = new Set(headers.map(({ name }) => name.toLowerCase()))
  cdp.on('Fetch.requestPaused', ({ requestId, request }) => {
    const requestUrl = URL.parse(request.url)
    const isAllowed = requestUrl !== null && allowed(requestUrl)
    const otherHeaders = Object.entries(request.headers).filter(([name]) => !headerNames.has(name.toLowerCase()))
    const mergedHeaders = [...otherHeaders.map(([name, value]) => ({ name, value })), ...headers]
    cdp.send('Fetch.continueRequest', { requestId, ...(isAllowed ? { headers: mergedHeaders } : {}) }).catch(() => {})
  })
  await cdp.send('Fetch.enable', {
    patterns: [
      { urlPattern: 'http://*', requestStage: 'Request' },
      { urlPattern: 'https://*', requestStage: 'Request' },
    ],
  })
}
