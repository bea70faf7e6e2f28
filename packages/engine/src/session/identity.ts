import type { Sender } from '../guard/fetch.ts'
import type { StorageState } from '../browser/instance.ts'
import type { PlannedSession } from '../settings.ts'

type Pair = { cert: string; key: string }

/** Cookies of a sign-in that belong to a URL, as the header that a browser would send. */
function cookiesFor(state: StorageState | null, url: URL): string | null {
  const now = Date.now() / 1000
  const fitting = (state?.cookies ?? []).filter(({ domain, path, secure, expires }) => {
    const host = domain.replace(/^\./, '')
    const hostFits = url.hostname === host || (domain.startsWith('.') && url.hostname.endsWith(`.${host}`))
    const pathFits = url.pathname === path || url.pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
    return hostFits && pathFits && (!secure || url.protocol === 'https:') && (expires < 0 || expires > now)
  })
  return fitting.length === 0 ? null : fitting.map(({ name, value }) => `${name}=${value}`).join('; ')
}

/**
 * Who we are when files are fetched past the browser: user agent, extra headers, Basic credentials, certificate and cookies,
 * all but the first only where the scan may send them.
 */
export function openSender(options: {
  userAgent: string
  referrer: string | null
  headers: readonly { name: string; value: string }[]
  isTrusted: (url: URL) => boolean
  session: PlannedSession | null
  certificate: Pair | null
  state: () => StorageState | null
}): Sender {
  const connection = options.session?.connection
  const basic =
    connection?.authType === 'basic'
      ? `Basic ${Buffer.from(`${connection.username}:${connection.password}`, 'utf8').toString('base64')}`
      : null
  return {
    headersFor(url) {
      const general: Record<string, string> = { 'user-agent': options.userAgent }
      if (options.referrer !== null) general.referer = options.referrer
      if (!options.isTrusted(url)) return general
      const cookies = cookiesFor(options.state(), url)
      return {
        ...general,
        ...Object.fromEntries(options.headers.map(({ name, value }) => [name.toLowerCase(), value])),
        ...(basic ? { authorization: basic } : {}),
        ...(cookies ? { cookie: cookies } : {}),
      }
    },
    certificateFor(authority) {
      const url = URL.parse(`https://${authority}`)
      return url && options.isTrusted(url) ? options.certificate : null
    },
  }
}
