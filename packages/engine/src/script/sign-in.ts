import { parseScript } from '@clearway/contract/monitor/script/model.ts'
import type { EnvironmentVariable, Script } from '@clearway/contract/monitor/script/schema.ts'
import type { PlannedForm } from '@clearway/contract/monitor/session/model.ts'
import { withTimeout } from '../browser/deadline.ts'
import type { Browsing, StorageState } from '../browser/instance.ts'
import type { Tab } from '../browser/tab.ts'
import type { BrowserPool } from '../browser/pool.ts'
import type { SignInResult, SignInView } from '../session/sign-in-state.ts'
import { isSignedIn } from '../crawl/visit/prepare.ts'
import { readPageFacts, type SignInProof } from '../session/proof.ts'
import { openProver, type Prover, type ProverDeps } from '../session/prove.ts'
import type { PlannedScript, PlannedSession, ScanPlan } from '../settings.ts'
import { runScript, type ScriptEnd } from './run.ts'
import { takeRedactedScreenshot } from './screenshot.ts'
import { signInByForm } from '../session/sign-in-form.ts'
import { codeVariable, openScriptSecrets, openSecrets, type Secrets } from './secret.ts'

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

type FailedSignIn = Extract<SignInResult, { kind: 'failed' }>

/** The page that a failed sign-in ended on. */
async function viewLastPage(tab: Tab, secrets: Secrets): Promise<SignInView> {
  const facts = await readPageFacts(tab)
  return {
    url: secrets.redact(facts?.url ?? ''),
    title: secrets.redact(facts?.title ?? ''),
    status: null,
    screenshot: await takeRedactedScreenshot(tab, secrets.values),
  }
}

type SignInDeps = ProverDeps & { pool: BrowserPool }

const refuse = (detail: string): FailedSignIn => ({ kind: 'failed', reason: 'authentication', detail })

/** Performs the actions of a sign-in; null if all were performed. */
type PerformSignIn = (tab: Tab, prover: Prover) => Promise<FailedSignIn | null>

/**
 * Signs in in a separate browser context. Returns how to open pages as the signed-in user, with the cookies and storage of the
 * sign-in, and the proof that later pages are compared with.
 */
async function signInApart(
  signInDeps: SignInDeps,
  { baseBrowsing, knownProof, secrets }: { baseBrowsing: Browsing; knownProof: SignInProof | null; secrets: Secrets },
  performSignIn: PerformSignIn,
): Promise<SignInResult> {
  const signInBrowsing = { ...baseBrowsing }
  const lease = await signInDeps.pool.lease(signInBrowsing)
  try {
    const { tab } = lease
    const prover = await openProver(signInDeps, tab, knownProof)
    const failure = await performSignIn(tab, prover)
    if (failure) return { ...failure, lastPage: await viewLastPage(tab, secrets) }
    const landingScripts = await buildStorageScripts(baseBrowsing, tab.page)
    const proved = await prover.prove()
    if (!proved.ok) return { ...refuse(secrets.redact(proved.detail)), lastPage: await viewLastPage(tab, secrets) }
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

/** A failure is final if another attempt may lock the account. */
const getReason = (isFinal: boolean) => (isFinal ? ('authentication' as const) : ('session-failed' as const))

async function signInByScript(
  signInDeps: SignInDeps,
  session: PlannedSession & { script: PlannedScript },
  baseBrowsing: Browsing,
  knownProof: SignInProof | null,
): Promise<SignInResult> {
  const { script: plannedScript, mark } = session
  const parsedScript = parseScript(plannedScript.text, 'SESSION')
  if (!parsedScript.ok) {
    const [firstError] = parsedScript.errors
    const detail = `The sign-in script is wrong in line ${firstError?.line}: expected ${firstError?.expected}`
    return { kind: 'failed', reason: 'invalid-task', detail }
  }
  const secrets = openScriptSecrets(parsedScript.script, plannedScript.variables)
  return signInApart(signInDeps, { baseBrowsing, knownProof, secrets }, async (tab, prover) => {
    const scriptEnd = await runSignInScript(signInDeps, parsedScript.script, secrets, tab, prover.noteSignInPage)
    if (scriptEnd.kind === 'failed') {
      const reason = scriptEnd.reason === 'invalid-task' ? 'invalid-task' : getReason(prover.hasSeenPassword())
      return { kind: 'failed', reason, detail: `The sign-in script failed: ${scriptEnd.detail}` }
    }
    if (mark && mark.means === 'signed-out' && (await isSignedIn(tab, mark)) === false)
      return { kind: 'failed', reason: 'authentication', detail: 'After the script the page is still signed out' }
    return null
  })
}

const variablesByForm = new WeakMap<PlannedForm, EnvironmentVariable[]>()

/** Secrets of a form; the same at each sign-in of a run, so that none types a code again. */
function getFormVariables(form: PlannedForm): EnvironmentVariable[] {
  const variables = variablesByForm.get(form) ?? [
    { name: 'PASSWORD', value: form.password },
    ...(form.codeSecret == null ? [] : [{ name: codeVariable, value: form.codeSecret }]),
  ]
  variablesByForm.set(form, variables)
  return variables
}

/** Signs in by the script or the form of a session. */
export function signIn(
  signInDeps: SignInDeps,
  session: PlannedSession,
  baseBrowsing: Browsing,
  knownProof: SignInProof | null,
): Promise<SignInResult> {
  const { script, form } = session
  if (!form) return signInByScript(signInDeps, { ...session, script: script! }, baseBrowsing, knownProof)
  const secrets = openSecrets(getFormVariables(form))
  const valueFault = secrets.findFault([codeVariable])
  if (valueFault !== null) return Promise.resolve({ kind: 'failed', reason: 'invalid-task', detail: valueFault })
  const getCode = form.codeSecret == null ? null : () => secrets.fill(`<${codeVariable}>`)
  return signInApart(signInDeps, { baseBrowsing, knownProof, secrets }, async (tab, prover) => {
    const formEnd = await signInByForm({ tab, guard: signInDeps.guard }, { form, getCode }, prover.noteSignInPage)
    if (formEnd.kind === 'done') return null
    const detail = secrets.redact(`The sign-in failed. ${formEnd.detail}`)
    return { kind: 'failed', reason: getReason(!formEnd.canRetry), detail }
  })
}

const runSignInScript = (
  { guard, plan }: SignInDeps,
  script: Script,
  secrets: Secrets,
  tab: Tab,
  beforeAction: () => Promise<void>,
): Promise<ScriptEnd> =>
  runScript(script, {
    tab,
    guard,
    secrets,
    referrer: plan.advanced.referrer,
    timeoutMs: plan.advanced.scriptTimeoutMs,
    allowEval: plan.allowEval ?? false,
    pictures: false,
    beforeAction,
    analyze: async () => null,
  })
