import { readDomain } from '@clearway/contract/monitor/scan/model.ts'
import { openDisplay } from '../browser/display.ts'
import type { Guard } from '../guard/guard.ts'
import type { Browsing, StorageState } from '../browser/instance.ts'
import type { Variant } from '../browser/launch.ts'
import type { BrowserPool } from '../browser/pool.ts'
import { signInByScript } from '../script/sign-in.ts'
import type { PlannedConnection, ScanPlan } from '../settings.ts'
import { openSignInState } from './sign-in-state.ts'
import { openTicket } from './kerberos.ts'
import { keystoreTexts, openKeystore } from './keystore/keystore.ts'
import { openBrowserSessions, type ClientCertificate, type BrowserSessions } from './browser-sessions.ts'

/** A run's sign-in, ready for use, or why there is none. */
export type OpenedSession =
  | {
      kind: 'session'
      sessions: BrowserSessions
      certificate: ClientCertificate | null
      /** What the newest scripted sign-in left behind. */
      state: () => StorageState | null
      close: () => Promise<void>
    }
  | { kind: 'problem'; problem: 'session-failed' | 'no-browser'; detail: string }

type SessionDeps = {
  pool: BrowserPool
  guard: Guard
  plan: ScanPlan
  isTrusted: (url: URL) => boolean
}

type Opened<T> = { ok: true; value: T } | { ok: false; detail: string }

function openCertificate(connection: PlannedConnection | null): Opened<ClientCertificate | null> {
  if (connection?.authType !== 'client_cer') return { ok: true, value: null }
  const { keystore, keystoreType, keystorePassword } = connection
  const opened = openKeystore({ bytes: keystore, type: keystoreType, password: keystorePassword })
  return opened.kind === 'opened'
    ? {
        ok: true,
        value: { cert: opened.chain.join('\n'), key: opened.key, validTo: new Date(opened.validTo) },
      }
    : { ok: false, detail: keystoreTexts[opened.kind] }
}

type Special = { variant: Variant | null; close: () => Promise<void> }

/** The hosts that a ticket may be shown to: those of the scan, by name and without wildcards beyond its own. */
const ticketHosts = (plan: ScanPlan): string[] => [
  ...new Set(
    plan.domains
      .map(readDomain)
      .flatMap((domain) => (domain ? [domain.host, ...(domain.below ? [`*.${domain.host}`] : [])] : [])),
  ),
]

/** The kind of browser that a run needs: with a ticket, with a window, or the usual one. */
async function openVariant({ plan, pool }: SessionDeps): Promise<Opened<Special>> {
  const connection = plan.session?.connection
  let variant: Variant | null = null
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (const end of closers) await end()
  }
  if (connection?.authType === 'kerberos') {
    // Its build has no GSSAPI: each page would fail, and nobody would know why.
    if (pool.facts.source === 'embedded')
      return { ok: false, detail: 'The browser from npm knows no Kerberos: install Chrome or Chromium' }
    const { username, password } = connection
    const ticket = await openTicket({ username, password, hosts: ticketHosts(plan) })
    if (ticket.kind === 'failed') return { ok: false, detail: ticket.detail }
    variant = ticket.variant
    // Tickets live for hours; a run may take longer.
    const timer = setInterval(() => void ticket.renew(), 2 * 60 * 60_000)
    closers.push(async () => clearInterval(timer), ticket.close)
  }
  if (!plan.advanced.headless) {
    const display = await openDisplay(pool.facts)
    if (display.kind === 'missing') {
      await close()
      return { ok: false, detail: display.detail }
    }
    variant = {
      key: `${variant?.key ?? ''} ${display.variant.key}`,
      args: [...(variant?.args ?? []), ...display.variant.args],
      env: { ...variant?.env, ...display.variant.env },
      headless: false,
      ...(display.variant.path !== undefined && { path: display.variant.path }),
    }
    closers.push(async () => display.close())
  }
  return { ok: true, value: { variant, close } }
}

/** Full Chromium learns Kerberos only while its first challenge goes unanswered: one page is spent on that. */
async function warmUp({ pool, plan }: SessionDeps, base: Browsing): Promise<void> {
  const lease = await pool.lease(base)
  const url = plan.urls[0]
  if (url) await lease.tab.page.goto(url, { timeout: 10_000 }).catch(() => null)
  await lease.releaseTab(false)
}

/** Opens a run's sign-in: keystore, ticket, script, whatever it has. A sign-in script runs before the first page. */
export async function openSession(deps: SessionDeps, given: Browsing): Promise<OpenedSession> {
  const { plan } = deps
  const session = plan.session ?? null
  const connection = session?.connection ?? null
  const certificate = openCertificate(connection)
  if (!certificate.ok) return { kind: 'problem', problem: 'session-failed', detail: certificate.detail }
  const special = await openVariant(deps)
  if (!special.ok) {
    const problem = connection?.authType === 'kerberos' ? 'session-failed' : 'no-browser'
    return { kind: 'problem', problem, detail: special.detail }
  }
  const { variant, close } = special.value
  const base: Browsing = variant ? { ...given, variant } : given
  if (connection?.authType === 'kerberos') await warmUp(deps, base)
  let state: StorageState | null = null
  const sessionsOf = (
    from: Browsing,
    signInState: Parameters<typeof openBrowserSessions>[0]['signInState'],
  ): BrowserSessions =>
    openBrowserSessions({
      base: from,
      signInState,
      connection,
      certificate: certificate.value,
      isTrusted: deps.isTrusted,
    })
  const signInState = session?.script
    ? openSignInState(async () => {
        const start = URL.parse(plan.urls[0] ?? '')
        const way = await sessionsOf(base, null).browsingFor(start)
        if (way.kind === 'failed') return way
        const signed = await signInByScript(deps, session, way.browsing)
        if (signed.kind === 'signed-in') state = signed.browsing.storageState ?? null
        return signed
      }, session.mark)
    : null
  const sessions = sessionsOf(base, signInState)
  const first = signInState ? await sessions.browsingFor(null) : null
  if (first?.kind === 'failed') {
    await close()
    return { kind: 'problem', problem: 'session-failed', detail: first.detail }
  }
  return { kind: 'session', sessions, certificate: certificate.value, state: () => state, close }
}
