import { parseDomain } from '@clearway/contract/monitor/scan/model.ts'
import { openDisplay } from '../browser/display.ts'
import type { Guard } from '../guard/guard.ts'
import type { Browsing, StorageState } from '../browser/instance.ts'
import type { Variant } from '../browser/launch.ts'
import type { BrowserPool } from '../browser/pool.ts'
import { signIn } from '../script/sign-in.ts'
import type { PlannedConnection } from '@clearway/contract/monitor/session/model.ts'
import type { ActingRule } from '../crawl/action/rule.ts'
import type { ScanPlan } from '../settings.ts'
import type { SignInProof } from './proof.ts'
import { openSignInState, type SignInState, type SignInView } from './sign-in-state.ts'
import { proveConnection } from './prove-connection.ts'
import { openSignOutCheck } from './sign-out-check.ts'
import { openSignOutLog, type SignOutLog } from './sign-out-log.ts'
import { openSessionShare, type SessionExchange } from './share.ts'
import { openTicket } from './kerberos.ts'
import { keystoreTexts, openKeystore } from './keystore/keystore.ts'
import { openBrowserSessions, type ClientCertificate, type BrowserSessions } from './browser-sessions.ts'

/** A run's sign-in, ready to use, or the reason why it failed. */
export type OpenedSession =
  | {
      kind: 'session'
      sessions: BrowserSessions
      certificate: ClientCertificate | null
      /** Cookies and storage of the latest scripted sign-in. */
      getStorageState: () => StorageState | null
      signOutLog: SignOutLog
      close: () => Promise<void>
    }
  | OpenProblem

/** The reason why no session could be opened, with the page that a sign-in ended on. */
export type OpenProblem = {
  kind: 'problem'
  problem: 'session-failed' | 'no-browser'
  detail: string
  lastPage?: SignInView | undefined
}

type SessionDeps = {
  pool: BrowserPool
  guard: Guard
  plan: ScanPlan
  isTrusted: (url: URL) => boolean
  acting: ActingRule
  /** Other processes that work on the same run. */
  sessionExchange?: SessionExchange
  /** Receives patterns of links that ended a session. */
  onSignOutLearned?: (pattern: string) => Promise<void>
}

type OpenResult<T> = { ok: true; value: T } | { ok: false; detail: string }

function openCertificate(connection: PlannedConnection | null): OpenResult<ClientCertificate | null> {
  if (connection?.authType !== 'client_cer') return { ok: true, value: null }
  const { keystore, keystoreType, keystorePassword } = connection
  const openedKeystore = openKeystore({ bytes: keystore, type: keystoreType, password: keystorePassword })
  return openedKeystore.kind === 'opened'
    ? {
        ok: true,
        value: { cert: openedKeystore.chain.join('\n'), key: openedKeystore.key, validTo: new Date(openedKeystore.validTo) },
      }
    : { ok: false, detail: keystoreTexts[openedKeystore.kind] }
}

type OpenedVariant = { variant: Variant | null; close: () => Promise<void> }

/** Hosts to which a ticket may be presented: those of the scan, with wildcards only as configured. */
const listTicketHosts = (plan: ScanPlan): string[] => [
  ...new Set(
    plan.domains
      .map(parseDomain)
      .flatMap((domain) => (domain ? [domain.host, ...(domain.below ? [`*.${domain.host}`] : [])] : [])),
  ),
]

/** Opens the browser variant that a run needs: with a ticket, headed, or the default. */
async function openVariant({ plan, pool }: SessionDeps): Promise<OpenResult<OpenedVariant>> {
  const connection = plan.session?.connection
  let browserVariant: Variant | null = null
  const closeCallbacks: (() => Promise<void>)[] = []
  const closeAll = async () => {
    for (const closeCallback of closeCallbacks) await closeCallback()
  }
  if (connection?.authType === 'kerberos') {
    // The embedded build has no GSSAPI: every page would fail without a clear reason.
    if (pool.facts.source === 'embedded')
      return { ok: false, detail: 'The browser from npm knows no Kerberos: install Chrome or Chromium' }
    const { username, password } = connection
    const kerberosTicket = await openTicket({ username, password, hosts: listTicketHosts(plan) })
    if (kerberosTicket.kind === 'failed') return { ok: false, detail: kerberosTicket.detail }
    browserVariant = kerberosTicket.variant
    // Tickets expire after hours; a run may take longer.
    const renewalTimer = setInterval(() => void kerberosTicket.renew(), 2 * 60 * 60_000)
    closeCallbacks.push(async () => clearInterval(renewalTimer), kerberosTicket.close)
  }
  if (!plan.advanced.headless) {
    const openedDisplay = await openDisplay(pool.facts)
    if (openedDisplay.kind === 'missing') {
      await closeAll()
      return { ok: false, detail: openedDisplay.detail }
    }
    browserVariant = {
      key: `${browserVariant?.key ?? ''} ${openedDisplay.variant.key}`,
      args: [...(browserVariant?.args ?? []), ...openedDisplay.variant.args],
      env: { ...browserVariant?.env, ...openedDisplay.variant.env },
      headless: false,
      ...(openedDisplay.variant.path !== undefined && { path: openedDisplay.variant.path }),
    }
    closeCallbacks.push(async () => openedDisplay.close())
  }
  return { ok: true, value: { variant: browserVariant, close: closeAll } }
}

/** Full Chromium initializes Kerberos while its first challenge goes unanswered. One page is spent on this. */
async function warmUpKerberos({ pool, plan }: SessionDeps, baseBrowsing: Browsing): Promise<void> {
  const tabLease = await pool.lease(baseBrowsing)
  const startUrl = plan.urls[0]
  if (startUrl) await tabLease.tab.page.goto(startUrl, { timeout: 10_000 }).catch(() => null)
  await tabLease.releaseTab(false)
}

/** Proves a sign-in that the server of the start page asks for. */
async function proveFirst(deps: SessionDeps, visitorBrowsing: Browsing, sessions: BrowserSessions) {
  const memberResult = await sessions.getBrowsing(URL.parse(deps.plan.urls[0] ?? ''))
  if (memberResult.kind === 'failed') return { ok: false as const, detail: memberResult.detail }
  return proveConnection(deps, visitorBrowsing, memberResult.browsing)
}

type OpenSessions = (parentBrowsing: Browsing, signInState: SignInState | null) => BrowserSessions

/** Opens the state of a sign-in by a script or a form; null if the run has none. */
function openRepeatableSignIn(
  deps: SessionDeps,
  baseBrowsing: Browsing,
  {
    signOutLog,
    openSessionsFrom,
    onSignedIn,
  }: { signOutLog: SignOutLog; openSessionsFrom: OpenSessions; onSignedIn: (browsing: Browsing) => void },
): SignInState | null {
  const { session } = deps.plan
  if (!session?.script && !session?.form) return null
  const openOrigin = () => openSessionsFrom(baseBrowsing, null).getBrowsing(URL.parse(deps.plan.urls[0] ?? ''))
  const signInOnce = async (knownProof: SignInProof | null) => {
    const originResult = await openOrigin()
    if (originResult.kind === 'failed') return originResult
    const { lookOnly, ...signInBrowsing } = originResult.browsing
    const signInResult = await signIn(deps, session, signInBrowsing, knownProof)
    if (signInResult.kind === 'failed') return signInResult
    onSignedIn(signInResult.browsing)
    // The sign-in sends a form; pages do not, if the scan only looks.
    return { ...signInResult, browsing: { ...signInResult.browsing, ...(lookOnly && { lookOnly }) } }
  }
  const check = openSignOutCheck({ ...deps, log: signOutLog }, deps.onSignOutLearned)
  if (!deps.sessionExchange) return openSignInState(signInOnce, session.mark, check)
  const share = openSessionShare(deps.sessionExchange, baseBrowsing, openOrigin)
  return openSignInState(signInOnce, session.mark, check, async (signInHere) => {
    const signInResult = await share(signInHere)
    if (signInResult.kind === 'signed-in') onSignedIn(signInResult.browsing)
    return signInResult
  })
}

/** Opens a run's sign-in: keystore, ticket or script. A sign-in script runs before the first page. */
export async function openSession(deps: SessionDeps, initialBrowsing: Browsing): Promise<OpenedSession> {
  const { plan } = deps
  const session = plan.session ?? null
  const connection = session?.connection ?? null
  const openedCertificate = openCertificate(connection)
  if (!openedCertificate.ok) return { kind: 'problem', problem: 'session-failed', detail: openedCertificate.detail }
  const openedVariant = await openVariant(deps)
  if (!openedVariant.ok) {
    const problemKind = connection?.authType === 'kerberos' ? 'session-failed' : 'no-browser'
    return { kind: 'problem', problem: problemKind, detail: openedVariant.detail }
  }
  const { variant: selectedVariant, close: closeVariant } = openedVariant.value
  const baseBrowsing: Browsing = selectedVariant ? { ...initialBrowsing, variant: selectedVariant } : initialBrowsing
  if (connection?.authType === 'kerberos') await warmUpKerberos(deps, baseBrowsing)
  let storageState: StorageState | null = null
  const signOutLog = openSignOutLog()
  const openSessionsFrom: OpenSessions = (parentBrowsing, signInState) =>
    openBrowserSessions({
      base: parentBrowsing,
      signInState,
      connection,
      certificate: openedCertificate.value,
      isTrusted: deps.isTrusted,
    })
  const signInState = openRepeatableSignIn(deps, baseBrowsing, {
    signOutLog,
    openSessionsFrom,
    onSignedIn: (browsing) => (storageState = browsing.storageState ?? null),
  })
  const browserSessions = openSessionsFrom(baseBrowsing, signInState)
  const firstResult = signInState ? await browserSessions.getBrowsing(null) : null
  if (firstResult?.kind === 'failed') {
    await closeVariant()
    return { kind: 'problem', problem: 'session-failed', detail: firstResult.detail, lastPage: firstResult.lastPage }
  }
  const proved = connection && !signInState ? await proveFirst(deps, initialBrowsing, browserSessions) : null
  if (proved?.ok === false) {
    await closeVariant()
    return { kind: 'problem', problem: 'session-failed', detail: proved.detail }
  }
  return {
    kind: 'session',
    sessions: proved ? { ...browserSessions, getProof: () => proved.proof } : browserSessions,
    certificate: openedCertificate.value,
    getStorageState: () => storageState,
    signOutLog,
    close: closeVariant,
  }
}
