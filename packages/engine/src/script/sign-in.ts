import { parseScript } from '@clearway/contract/monitor/script/model.ts'
import { withTimeout } from '../browser/deadline.ts'
import type { Guard } from '../guard/guard.ts'
import type { Browsing, StorageState } from '../browser/instance.ts'
import type { Tab } from '../browser/tab.ts'
import type { BrowserPool } from '../browser/pool.ts'
import type { SignInResult } from '../session/sign-in-state.ts'
import { isSignedIn } from '../crawl/visit/prepare.ts'
import type { PlannedSession, ScanPlan } from '../settings.ts'
import { runScript } from './run.ts'
import { openSecrets } from './secret.ts'

const stateTimeoutMs = 10_000

/** Returns the tab scripts, extended to restore the session storage of the tab's origin. */
async function buildStorageScripts(browsing: Browsing, page: { evaluate(code: string): Promise<unknown> }) {
  const storageResult = await withTimeout(
    2000,
    page.evaluate('JSON.stringify([location.origin, Object.entries(sessionStorage)])').catch(() => null),
  )
  const storageJson = storageResult.done && typeof storageResult.value === 'string' ? storageResult.value : null
  const [storageOrigin, storageEntries] =
    storageJson === null ? ['', []] : (JSON.parse(storageJson) as [string, [string, string][]])
  if (storageEntries.length === 0) return browsing.scripts
  const restoreCode = `;if (location.origin === ${JSON.stringify(storageOrigin)}) try { for (const [name, value] of ${JSON.stringify(storageEntries)}) if (sessionStorage.getItem(name) === null) sessionStorage.setItem(name, value) } catch {}`
  return { ...browsing.scripts, main: browsing.scripts.main + restoreCode }
}

/**
 * Returns the cookies and storage after the script; null if the browser does not respond. If all start URLs are https,
 * cookies are marked secure, which many servers omit, so that they are never sent in clear text.
 */
async function readStorageState({ urls }: ScanPlan, tab: Tab): Promise<StorageState | null> {
  const stateResult = await withTimeout(
    stateTimeoutMs,
    tab.page
      .context()
      .storageState({ indexedDB: true })
      .catch(() => null),
  )
  if (!stateResult.done || !stateResult.value) return null
  if (!urls.every((url) => url.startsWith('https:'))) return stateResult.value
  return { ...stateResult.value, cookies: stateResult.value.cookies.map((cookie) => ({ ...cookie, secure: true })) }
}

/**
 * Signs in by a script in a separate browser context. Returns how to open pages as the signed-in user, with the cookies
 * and storage of the script.
 */
export async function signInByScript(
  signInDeps: { pool: BrowserPool; guard: Guard; plan: ScanPlan },
  session: PlannedSession,
  baseBrowsing: Browsing,
): Promise<SignInResult> {
  const plannedScript = session.script!
  const parsedScript = parseScript(plannedScript.text, 'SESSION')
  if (!parsedScript.ok) {
    const [firstError] = parsedScript.errors
    const detail = `The sign-in script is wrong in line ${firstError?.line}: expected ${firstError?.expected}`
    return { kind: 'failed', reason: 'invalid-task', detail }
  }
  const signInBrowsing = { ...baseBrowsing }
  const lease = await signInDeps.pool.lease(signInBrowsing)
  try {
    const { tab } = lease
    const scriptEnd = await runScript(parsedScript.script, {
      tab,
      guard: signInDeps.guard,
      secrets: openSecrets(plannedScript.variables),
      referrer: signInDeps.plan.advanced.referrer,
      timeoutMs: signInDeps.plan.advanced.scriptTimeoutMs,
      allowEval: signInDeps.plan.allowEval ?? false,
      pictures: false,
      analyze: async () => null,
    })
    if (scriptEnd.kind === 'failed')
      return {
        kind: 'failed',
        reason: scriptEnd.reason === 'invalid-task' ? 'invalid-task' : 'session-failed',
        detail: `The sign-in script failed: ${scriptEnd.detail}`,
      }
    if (session.mark && session.mark.means === 'signed-out' && (await isSignedIn(tab, session.mark)) === false)
      return { kind: 'failed', reason: 'session-failed', detail: 'After the script the page is still signed out' }
    const tabScripts = await buildStorageScripts(baseBrowsing, tab.page)
    const storageState = await readStorageState(signInDeps.plan, tab)
    if (!storageState) return { kind: 'failed', reason: 'session-failed', detail: 'The session could not be read' }
    return {
      kind: 'signed-in',
      browsing: { ...baseBrowsing, scripts: tabScripts, storageState },
    }
  } finally {
    await lease.releaseTab(false)
    await signInDeps.pool.closeRun(signInBrowsing)
  }
}
