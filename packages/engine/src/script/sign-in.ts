import { parseScript } from '@clearway/contract/monitor/script/model.ts'
import { withTimeout } from '../browser/deadline.ts'
import type { Guard } from '../guard/guard.ts'
import type { Browsing, StorageState } from '../browser/instance.ts'
import type { Tab } from '../browser/tab.ts'
import type { BrowserPool } from '../browser/pool.ts'
import type { SignedIn } from '../session/sign-in-state.ts'
import { isSignedIn } from '../crawl/visit/prepare.ts'
import type { PlannedSession, ScanPlan } from '../settings.ts'
import { runScript } from './run.ts'
import { openSecrets } from './secret.ts'

const stateMs = 10_000

/** What a tab keeps for its URL beyond cookies and local storage. */
async function sessionStorageOf(browsing: Browsing, page: { evaluate(code: string): Promise<unknown> }) {
  const read = await withTimeout(
    2000,
    page.evaluate('JSON.stringify([location.origin, Object.entries(sessionStorage)])').catch(() => null),
  )
  const text = read.done && typeof read.value === 'string' ? read.value : null
  const [origin, entries] = text === null ? ['', []] : (JSON.parse(text) as [string, [string, string][]])
  if (entries.length === 0) return browsing.scripts
  const restore = `;if (location.origin === ${JSON.stringify(origin)}) try { for (const [name, value] of ${JSON.stringify(entries)}) if (sessionStorage.getItem(name) === null) sessionStorage.setItem(name, value) } catch {}`
  return { ...browsing.scripts, main: browsing.scripts.main + restore }
}

/**
 * What the script left behind; null when the browser does not answer. Where the scan begins on https, its cookies are not sent in
 * clear: servers often leave that open.
 */
async function stateOf({ urls }: ScanPlan, tab: Tab): Promise<StorageState | null> {
  const read = await withTimeout(
    stateMs,
    tab.page
      .context()
      .storageState({ indexedDB: true })
      .catch(() => null),
  )
  if (!read.done || !read.value) return null
  if (!urls.every((url) => url.startsWith('https:'))) return read.value
  return { ...read.value, cookies: read.value.cookies.map((cookie) => ({ ...cookie, secure: true })) }
}

/**
 * Signs in by a script, in a browser context of its own, and answers how pages are opened as the one who signed in: with
 * the cookies and the storage that the script left behind.
 */
export async function signInByScript(
  deps: { pool: BrowserPool; guard: Guard; plan: ScanPlan },
  session: PlannedSession,
  base: Browsing,
): Promise<SignedIn> {
  const planned = session.script!
  const parsed = parseScript(planned.text, 'SESSION')
  if (!parsed.ok) {
    const [first] = parsed.errors
    const detail = `The sign-in script is wrong in line ${first?.line}: expected ${first?.expected}`
    return { kind: 'failed', reason: 'invalid-task', detail }
  }
  const browsing = { ...base }
  const lease = await deps.pool.lease(browsing)
  try {
    const { tab } = lease
    const end = await runScript(parsed.script, {
      tab,
      guard: deps.guard,
      secrets: openSecrets(planned.variables),
      referrer: deps.plan.advanced.referrer,
      timeoutMs: deps.plan.advanced.scriptTimeoutMs,
      allowEval: deps.plan.allowEval ?? false,
      pictures: false,
      analyze: async () => null,
    })
    if (end.kind === 'failed')
      return {
        kind: 'failed',
        reason: end.reason === 'invalid-task' ? 'invalid-task' : 'session-failed',
        detail: `The sign-in script failed: ${end.detail}`,
      }
    if (
      session.mark &&
      session.mark.means === 'signed-out' &&
      (await isSignedIn(tab, session.mark)) === false
    )
      return {
        kind: 'failed',
        reason: 'session-failed',
        detail: 'After the script the page is still signed out',
      }
    const scripts = await sessionStorageOf(base, tab.page)
    const state = await stateOf(deps.plan, tab)
    if (!state) return { kind: 'failed', reason: 'session-failed', detail: 'The session could not be read' }
    return { kind: 'signed-in', browsing: { ...base, scripts, storageState: state } }
  } finally {
    await lease.releaseTab(false)
    await deps.pool.closeRun(browsing)
  }
}
