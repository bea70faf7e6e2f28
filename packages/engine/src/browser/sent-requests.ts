import { maxChangingRequests, RequestMethod, type SentRequests } from '@clearway/contract/monitor/page/request/schema.ts'
import type { BrowserContext, Page, Request } from 'playwright-core'
import { isGraphqlQuery } from './graphql.ts'

/** Methods of requests that only look: they change nothing by their definition (RFC 9110, section 9.2.1). */
export const lookingMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Requests whose answers no page shows. */
const unseenTypes = new Set(['ping', 'cspviolationreport'])

const maxAddressLength = 500

/** Rule of look-only mode. */
export type LookOnlyRule = {
  /** Returns true for URLs that a person allows any request to. */
  isAllowed: (url: string) => boolean
}

/** Log of the requests of a tab's visit. */
export type SentRequestLog = {
  read(): SentRequests
  /** Returns true if a request was held whose answer the page may show. */
  hasHeldContent(): boolean
  clear(): void
}

const isChanging = (request: Request): boolean => !lookingMethods.has(request.method().toUpperCase())

/** Returns true if look-only mode holds a request. */
const isHeld = (request: Request, { isAllowed }: LookOnlyRule): boolean =>
  isChanging(request) &&
  !isAllowed(request.url()) &&
  !(request.method().toUpperCase() === 'POST' && isGraphqlQuery(request.postData()))

const toMethod = (method: string): RequestMethod => {
  const knownMethod = RequestMethod.safeParse(method.toUpperCase())
  return knownMethod.success ? knownMethod.data : 'other'
}

/** Origin and path: the query may hold secrets, and differs from one request to the next. */
const toAddress = (url: string): string => url.split(/[?#]/, 1)[0]!.slice(0, maxAddressLength)

/** Holds the requests of a context's pages, frames, workers and windows that may change something. */
export async function holdChangingRequests(context: BrowserContext, rule: LookOnlyRule): Promise<void> {
  await context.route('**/*', (route) => {
    // A navigation that is refused for another reason replaces the page by one of the browser's own.
    const routing = isHeld(route.request(), rule) ? route.abort('aborted') : route.fallback()
    routing.catch(() => {})
  })
}

/** Counts the requests of a page by method, and those that may change something by address. @param rule null: none is held */
export function watchSentRequests(page: Page, rule: LookOnlyRule | null): SentRequestLog {
  const methodCounts = new Map<RequestMethod, number>()
  const changingRequests = new Map<string, SentRequests['changing'][number]>()
  let hasHeld = false
  page.on('request', (request) => {
    const method = toMethod(request.method())
    methodCounts.set(method, (methodCounts.get(method) ?? 0) + 1)
    if (!isChanging(request)) return
    const isHeldBack = rule !== null && isHeld(request, rule)
    if (isHeldBack && !unseenTypes.has(request.resourceType())) hasHeld = true
    const address = toAddress(request.url())
    const addressKey = `${method} ${address}`
    const entry = changingRequests.get(addressKey) ?? { method, address, count: 0, held: 0 }
    entry.count += 1
    if (isHeldBack) entry.held += 1
    if (changingRequests.size < maxChangingRequests) changingRequests.set(addressKey, entry)
  })
  return {
    read: () => ({
      byMethod: [...methodCounts].map(([method, count]) => ({ method, count })),
      changing: [...changingRequests.values()].map((entry) => ({ ...entry })),
    }),
    hasHeldContent: () => hasHeld,
    clear() {
      methodCounts.clear()
      changingRequests.clear()
      hasHeld = false
    },
  }
}
