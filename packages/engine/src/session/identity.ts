import type { Sender } from '../guard/fetch.ts'
import type { StorageState } from '../browser/instance.ts'
import type { PlannedSession } from '../settings.ts'

type CertificatePair = { cert: string; key: string }

/** Returns the sign-in's cookies for a URL as a Cookie header. */
function buildCookieHeader(state: StorageState | null, url: URL): string | null {
  const nowSeconds = Date.now() / 1000
  const matchingCookies = (state?.cookies ?? []).filter(({ domain, path, secure, expires }) => {
    const cookieHost = domain.replace(/^\./, '')
    const matchesHost = url.hostname === cookieHost || (domain.startsWith('.') && url.hostname.endsWith(`.${cookieHost}`))
    const matchesPath = url.pathname === path || url.pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
    return matchesHost && matchesPath && (!secure || url.protocol === 'https:') && (expires < 0 || expires > nowSeconds)
  })
  return matchingCookies.length === 0 ? null : matchingCookies.map(({ name, value }) => `${name}=${value}`).join('; ')
}

/**
 * Creates the sender for fetches outside the browser: user agent, extra headers, Basic credentials, certificate and
 * cookies. Trusted hosts receive all of them, other hosts only the user agent and referrer.
 */
export function openSender(options: {
  userAgent: string
  referrer: string | null
  headers: readonly { name: string; value: string }[]
  isTrusted: (url: URL) => boolean
  session: PlannedSession | null
  certificate: CertificatePair | null
  state: () => StorageState | null
}): Sender {
  const connection = options.session?.connection
  const basicAuthorization =
    connection?.authType === 'basic'
      ? `Basic ${Buffer.from(`${connection.username}:${connection.password}`, 'utf8').toString('base64')}`
      : null
  return {
    headersFor(url) {
      const commonHeaders: Record<string, string> = { 'user-agent': options.userAgent }
      if (options.referrer !== null) commonHeaders.referer = options.referrer
      if (!options.isTrusted(url)) return commonHeaders
      const cookieHeader = buildCookieHeader(options.state(), url)
      return {
        ...commonHeaders,
        ...Object.fromEntries(options.headers.map(({ name, value }) => [name.toLowerCase(), value])),
        ...(basicAuthorization ? { authorization: basicAuthorization } : {}),
        ...(cookieHeader ? { cookie: cookieHeader } : {}),
      }
    },
    certificateFor(authority) {
      const hostUrl = URL.parse(`https://${authority}`)
      return hostUrl && options.isTrusted(hostUrl) ? options.certificate : null
    },
  }
}
