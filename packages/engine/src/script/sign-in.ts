import { parseScript } from '@clearway/contract/monitor/script/model.ts'
import type { Script } from '@clearway/contract/monitor/script/schema.ts'
import { withTimeout } from '../browser/deadline.ts'
import type { Browsing, StorageState } from '../browser/instance.ts'
import type { Tab } from '../browser/tab.ts'
import type { BrowserPool } from '../browser/pool.ts'
import type { SignInResult } from '../session/sign-in-state.ts'
import { isSignedIn } from '../crawl/visit/prepare.ts'
import type { SignInProof } from '../session/proof.ts'
import { openProver, type ProverDeps } from '../session/prove.ts'
import type { PlannedScript, PlannedSession, ScanPlan } from '../settings.ts'
import { runScript, type ScriptEnd } from './run.ts'
import { openScriptSecrets } from './secret.ts'

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

type SignInDeps = ProverDeps & { pool: BrowserPool }

const refuse = (detail: string): SignInResult => ({ kind: 'failed', reason: 'authentication', detail })

/**
 * Signs in by a script in a separate browser context. Returns how to open pages as the signed-in user, with the cookies
 * and storage of the script, and the proof that later pages are compared with.
 */
export async function signInByScript(
  signInDeps: SignInDeps,
  session: PlannedSession,
  baseBrowsing: Browsing,
  knownProof: SignInProof | null,
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
    const prover = await openProver(signInDeps, tab, knownProof)
    const scriptEnd = await runSignInScript(signInDeps, plannedScript, parsedScript.script, tab, prover.noteSignInPage)
    if (scriptEnd.kind === 'failed')
      return {
        kind: 'failed',
        reason: scriptEnd.reason === 'invalid-task' ? 'invalid-task' : 'session-failed',
        detail: `The sign-in script failed: ${scriptEnd.detail}`,
      }
    if (session.mark && session.mark.means === 'signed-out' && (await isSignedIn(tab, session.mark)) === false)
      return refuse('After the script the page is still signed out')
    const landingScripts = await buildStorageScripts(baseBrowsing, tab.page)
    const proved = await prover.prove()
    if (!proved.ok) return refuse(openScriptSecrets(parsedScript.script, plannedScript.variables).redact(proved.detail))
    // The start page may belong to another origin, whose session storage is another one, or have renewed a token.
    const startScripts = await buildStorageScripts(baseBrowsing, tab.page)
    const tabScripts = startScripts === baseBrowsing.scripts ? landingScripts : startScripts
    const storageState = await readStorageState(signInDeps.plan, tab)
    if (!storageState) return { kind: 'failed', reason: 'session-failed', detail: 'The session could not be read in time' }
    return { kind: 'signed-in', browsing: { ...baseBrowsing, scripts: tabScripts, storageState }, proof: proved.proof }
  } finally {
    await lease.releaseTab(false)
    await signInDeps.pool.closeRun(signInBrowsing)
  }
}

const runSignInScript = (
  { guard, plan }: SignInDeps,
  plannedScript: PlannedScript,
  script: Script,
  tab: Tab,
  beforeAction: () => Promise<void>,
): Promise<ScriptEnd> =>
  runScript(script, {
    tab,
    guard,
    secrets: openScriptSecrets(script, plannedScript.variables),
    referrer: plan.advanced.referrer,
    timeoutMs: plan.advanced.scriptTimeoutMs,
    allowEval: plan.allowEval ?? false,
    pictures: false,
    beforeAction,
    analyze: async () => null,
  })
