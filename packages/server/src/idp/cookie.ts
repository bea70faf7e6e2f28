import type { IncomingHttpHeaders } from 'node:http'

/** The value of one cookie of a request; empty if there is none. */
export function readCookie(request: { headers: IncomingHttpHeaders }, cookieName: string): string {
  const cookiePair = (request.headers.cookie ?? '').split(/;\s*/).find((pair) => pair.startsWith(`${cookieName}=`))
  return cookiePair?.slice(cookieName.length + 1) ?? ''
}
