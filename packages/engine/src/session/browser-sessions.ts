import type { Browsing } from '../browser/instance.ts'
import type { PlannedConnection } from '../settings.ts'
import { keystoreTexts } from './keystore/keystore.ts'
import type { SignInState, SignedIn } from './sign-in-state.ts'

/** How pages of one run are opened: by their origin, since a browser's context knows credentials for one origin only. */
export type BrowserSessions = {
  /** The way to open a page of an origin; signs in first where that is still to be done. */
  browsingFor(url: URL | null): Promise<SignedIn>
  /** Signs in anew; null when the run has no sign-in that could be repeated. */
  renew(browsing: Browsing): Promise<SignedIn> | null
  /** Every way that was handed out. */
  all(): Browsing[]
}

/** PEM of a client's certificate with its chain, of its key, and until when it may be shown. */
export type ClientCertificate = { cert: string; key: string; validTo: Date }

/** @param signInState for a scripted sign-in; its ways are the base of those for each origin */
export function openBrowserSessions(options: {
  base: Browsing
  signInState: SignInState | null
  connection: PlannedConnection | null
  certificate: ClientCertificate | null
  isTrusted: (url: URL) => boolean
}): BrowserSessions {
  const { base, signInState, connection, certificate } = options
  const derived = new Map<Browsing, Map<string, Browsing>>()
  const parents = new Map<Browsing, Browsing>()

  const forOrigin = (from: Browsing, origin: string): Browsing => {
    const known = derived.get(from)?.get(origin)
    if (known) return known
    const made: Browsing = { ...from }
    if (certificate)
      made.clientCertificate = {
        origin,
        cert: Buffer.from(certificate.cert),
        key: Buffer.from(certificate.key),
      }
    else if (connection && 'password' in connection)
      made.credentials = { username: connection.username, password: connection.password, origin }
    parents.set(made, from)
    derived.set(from, (derived.get(from) ?? new Map<string, Browsing>()).set(origin, made))
    return made
  }
  const byOrigin = connection !== null && connection.authType !== 'kerberos'

  return {
    async browsingFor(url) {
      const signed: SignedIn = signInState
        ? await signInState.current()
        : { kind: 'signed-in', browsing: base }
      if (signed.kind === 'failed' || !byOrigin || !url || !options.isTrusted(url)) return signed
      // A run may outlive it: servers then just hang up, which says nothing.
      if (certificate && certificate.validTo < new Date())
        return { kind: 'failed', reason: 'session-failed', detail: keystoreTexts.expired }
      return { kind: 'signed-in', browsing: forOrigin(signed.browsing, url.origin) }
    },
    renew: (browsing) => signInState?.renew(parents.get(browsing) ?? browsing) ?? null,
    all: () => [...new Set([base, ...derived.keys(), ...parents.keys()])],
  }
}
