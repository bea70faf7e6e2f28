import type { Browsing } from '../browser/instance.ts'
import type { PlannedConnection } from '@clearway/contract/monitor/session/model.ts'
import { keystoreTexts } from './keystore/keystore.ts'
import type { SignInProof } from './proof.ts'
import type { SignInState, SignInResult } from './sign-in-state.ts'

/** Browsing settings of one run by origin, because a browser context has credentials for one origin only. */
export type BrowserSessions = {
  /** Returns the settings for a page of an origin; signs in first if necessary. */
  getBrowsing(url: URL | null): Promise<SignInResult>
  /** Signs in again; null if the run has no repeatable sign-in. */
  renew(browsing: Browsing): Promise<SignInResult> | null
  /** The proof of the latest scripted sign-in; null if the run has none. */
  getProof(): SignInProof | null
  /** Notes a page that was proved signed in. */
  noteProved(): void
  /** All settings handed out so far. */
  listBrowsings(): Browsing[]
}

/** PEM of a client certificate with its chain and of its key, and the end of its validity. */
export type ClientCertificate = { cert: string; key: string; validTo: Date }

/** @param signInState state of a scripted sign-in; its settings are the base for each origin */
export function openBrowserSessions(options: {
  base: Browsing
  signInState: SignInState | null
  connection: PlannedConnection | null
  certificate: ClientCertificate | null
  isTrusted: (url: URL) => boolean
}): BrowserSessions {
  const { base: baseBrowsing, signInState, connection, certificate } = options
  const derivedBrowsings = new Map<Browsing, Map<string, Browsing>>()
  const parentBrowsings = new Map<Browsing, Browsing>()

  const getOriginBrowsing = (parentBrowsing: Browsing, origin: string): Browsing => {
    const existingBrowsing = derivedBrowsings.get(parentBrowsing)?.get(origin)
    if (existingBrowsing) return existingBrowsing
    const originBrowsing: Browsing = { ...parentBrowsing }
    if (certificate)
      originBrowsing.clientCertificate = { origin, cert: Buffer.from(certificate.cert), key: Buffer.from(certificate.key) }
    else if (connection && 'password' in connection)
      originBrowsing.credentials = { username: connection.username, password: connection.password, origin }
    parentBrowsings.set(originBrowsing, parentBrowsing)
    derivedBrowsings.set(
      parentBrowsing,
      (derivedBrowsings.get(parentBrowsing) ?? new Map<string, Browsing>()).set(origin, originBrowsing),
    )
    return originBrowsing
  }
  const needsOrigin = connection !== null && connection.authType !== 'kerberos'

  return {
    async getBrowsing(url) {
      const signInResult: SignInResult = signInState ? await signInState.current() : { kind: 'signed-in', browsing: baseBrowsing }
      if (signInResult.kind === 'failed' || !needsOrigin || !url || !options.isTrusted(url)) return signInResult
      // A run may outlive the certificate. Servers then hang up without a reason.
      if (certificate && certificate.validTo < new Date())
        return { kind: 'failed', reason: 'session-failed', detail: keystoreTexts.expired }
      return { kind: 'signed-in', browsing: getOriginBrowsing(signInResult.browsing, url.origin) }
    },
    renew: (browsing) => signInState?.renew(parentBrowsings.get(browsing) ?? browsing) ?? null,
    getProof: () => signInState?.getProof() ?? null,
    noteProved: () => signInState?.noteProved(),
    listBrowsings: () => [...new Set([baseBrowsing, ...derivedBrowsings.keys(), ...parentBrowsings.keys()])],
  }
}
