import type { Page, Request } from 'playwright-core'

/** Request types without which an application has no content. */
const contentTypes = new Set(['document', 'script', 'xhr', 'fetch'])
/** Requests that the page itself gave up, or that something between it and the site refused. */
const uncountedErrors = /ERR_(ABORTED|BLOCKED)/
const maxFailures = 200

/** Returns true for hosts of one site: equal, or one below the other's, `www.` aside. */
function isSameSite(url: string, otherUrl: string): boolean {
  const [host, otherHost] = [url, otherUrl].map((text) => URL.parse(text)?.hostname.replace(/^www\./, ''))
  if (!host || !otherHost) return false
  return host === otherHost || host.endsWith(`.${otherHost}`) || otherHost.endsWith(`.${host}`)
}

/** Failed requests of a page for the documents of its frames, its scripts and its data. */
export type Failures = {
  /** Number of failed requests to hosts of the page's own site. */
  count(pageUrl: string): number
  reset(): void
}

/** Tracks the failed requests of a page. */
export function watchFailures(page: Page): Failures {
  let failedUrls: string[] = []
  const noteFailure = (request: Request) => {
    const isMainDocument = request.isNavigationRequest() && request.frame().parentFrame() === null
    if (!isMainDocument && contentTypes.has(request.resourceType()) && failedUrls.length < maxFailures)
      failedUrls.push(request.url())
  }
  page.on('response', (response) => {
    // A site that limits requests shows an error for a while: 408 and 429.
    if (response.status() >= 500 || response.status() === 408 || response.status() === 429) noteFailure(response.request())
  })
  page.on('requestfailed', (request) => {
    if (!uncountedErrors.test(request.failure()?.errorText ?? '')) noteFailure(request)
  })
  return {
    count: (pageUrl) => failedUrls.filter((url) => isSameSite(url, pageUrl)).length,
    reset: () => void (failedUrls = []),
  }
}
