import type { FailureReason } from '@clearway/contract/monitor/page/schema.ts'
import type { Script, ScriptPage, ScriptStep } from '@clearway/contract/monitor/script/schema.ts'
import type { Guard } from '../guard/guard.ts'
import type { Tab } from '../browser/tab.ts'
import { arriveAtUrl } from '../crawl/visit/arrive.ts'
import { maxSettleMs } from '../crawl/settle/limits.ts'
import { waitUntilIdle } from '../crawl/settle/settle.ts'
import { performAction, type ActionResult } from './perform-action.ts'
import { takeRedactedScreenshot, takeScreenshot } from './screenshot.ts'
import type { Secrets } from './secret.ts'

/** Result of one step. Texts contain variable names, never their values. */
export type StepResult = {
  page: string
  /** Starts at 1; 0 opens the page's URL. Global steps are numbered separately. */
  number: number
  global: boolean
  line: number
  text: string
  ok: boolean
  /** Description of the result or of the problem, in English. */
  found: string
  durationMs: number
  /** JPEG of the page after the step, if requested or if the step failed. */
  screenshot: Uint8Array | null
}

export type ScriptEnd =
  | { kind: 'done' }
  | { kind: 'failed'; reason: FailureReason; detail: string; screenshot: Uint8Array | null }

export type RunOptions = {
  tab: Tab
  guard: Guard
  secrets: Secrets
  referrer: string | null
  /** Time limit for the whole script in milliseconds. */
  timeoutMs: number
  allowEval: boolean
  /** Take a screenshot after every step instead of only after failures. */
  pictures: boolean
  /** Analyzes the tab's current state. Returns null on success, otherwise the reason. */
  analyze: (state: { page: string; title: string | null; number: number }) => Promise<StepFailure | null>
  onStep?: (step: StepResult) => void
  /** Called before each action on an idle page. */
  beforeAction?: () => Promise<void>
}

export type StepFailure = { reason: FailureReason; found: string }

const maxNavigationMs = 30_000

type ScriptRun = RunOptions & { endsAt: number; stateCount: number }

async function openPage(scriptRun: ScriptRun, urlText: string): Promise<ActionResult> {
  const pageUrl = URL.parse(urlText)
  if (!pageUrl || !/^https?:$/.test(pageUrl.protocol))
    return { ok: false, reason: 'invalid-task', found: `${scriptRun.secrets.redact(urlText)} is no URL` }
  const timeoutMs = Math.min(maxNavigationMs, scriptRun.endsAt - performance.now())
  const pageArrival = await arriveAtUrl(scriptRun.tab, scriptRun.guard, pageUrl.href, timeoutMs, scriptRun.referrer)
  if (pageArrival.kind !== 'document')
    return { ok: false, reason: pageArrival.kind === 'failed' ? pageArrival.reason : 'mime-type', found: pageArrival.detail }
  await waitUntilIdle(scriptRun.tab, { capMs: maxSettleMs.step })
  return { ok: true, found: `HTTP ${pageArrival.status}, ${pageArrival.url}` }
}

async function performStep(scriptRun: ScriptRun, page: ScriptPage, step: ScriptStep): Promise<ActionResult> {
  if (performance.now() > scriptRun.endsAt)
    return {
      ok: false,
      reason: 'task-not-processed',
      found: `the script took longer than ${scriptRun.timeoutMs} ms`,
    }
  const filledAction = await scriptRun.secrets.fill(step.action)
  if (filledAction.do === 'eval' && !scriptRun.allowEval)
    return { ok: false, reason: 'invalid-task', found: 'this server does not allow eval in scripts' }
  if (filledAction.do === 'analyze') return analyzeState(scriptRun, page, filledAction.title)
  await scriptRun.beforeAction?.()
  const actionResult = await performAction(scriptRun.tab.page, filledAction, scriptRun.endsAt - performance.now())
  // A click may open another page, a key may submit a form: waits so that the next step starts on an idle page.
  if (actionResult.ok && filledAction.do !== 'wait') await waitUntilIdle(scriptRun.tab, { capMs: maxSettleMs.step })
  return actionResult
}

async function analyzeState(scriptRun: ScriptRun, page: ScriptPage, title: string | null): Promise<ActionResult> {
  scriptRun.stateCount += 1
  const analysisFailure = await scriptRun.analyze({ page: page.name, title, number: scriptRun.stateCount })
  return analysisFailure ? { ok: false, ...analysisFailure } : { ok: true, found: 'analysed' }
}

/** Runs and reports one step. Returns the script's end if it cannot continue. */
async function runStep(
  scriptRun: ScriptRun,
  page: ScriptPage,
  step: Pick<StepResult, 'number' | 'global' | 'line' | 'text'>,
  performWork: () => Promise<ActionResult>,
): Promise<ScriptEnd | null> {
  const startedAt = performance.now()
  const actionResult = await performWork()
  const { values: secretValues } = scriptRun.secrets
  const captureScreenshot = () =>
    secretValues.length > 0 ? takeRedactedScreenshot(scriptRun.tab, secretValues) : takeScreenshot(scriptRun.tab)
  const stepScreenshot = scriptRun.pictures || !actionResult.ok ? await captureScreenshot() : null
  const redactedFound = scriptRun.secrets.redact(actionResult.found)
  scriptRun.onStep?.({
    page: page.name,
    ...step,
    text: scriptRun.secrets.redact(step.text),
    ok: actionResult.ok,
    found: redactedFound,
    durationMs: Math.round(performance.now() - startedAt),
    screenshot: stepScreenshot,
  })
  if (actionResult.ok) return null
  const stepLocation = `${page.name}, ${step.global ? 'global step' : 'step'} ${step.number} (line ${step.line}), ${scriptRun.secrets.redact(step.text)}`
  return {
    kind: 'failed',
    reason: actionResult.reason,
    detail: `${stepLocation}: ${redactedFound}`,
    screenshot: stepScreenshot,
  }
}

async function runScriptPage(scriptRun: ScriptRun, script: Script, page: ScriptPage): Promise<ScriptEnd | null> {
  const openStep = { number: 0, global: false, line: page.line, text: `open ${page.url}` }
  const openFailure = await runStep(scriptRun, page, openStep, () => openPage(scriptRun, scriptRun.secrets.fillUrl(page.url)))
  if (openFailure) return openFailure
  const numberedSteps = [
    ...script.globalSteps.map((step) => ({ step, global: true })),
    ...page.steps.map((step) => ({ step, global: false })),
  ]
  for (const { step, global: isGlobal } of numberedSteps) {
    const { number, line, text } = step
    const scriptEnd = await runStep(scriptRun, page, { number, global: isGlobal, line, text }, () =>
      performStep(scriptRun, page, step),
    )
    if (scriptEnd) return scriptEnd
  }
  // A page without actions is loaded and analyzed.
  if (numberedSteps.length > 0) return null
  const analyzeStep = { number: 1, global: false, line: page.line, text: 'analyze' }
  return runStep(scriptRun, page, analyzeStep, () => analyzeState(scriptRun, page, null))
}

/** Runs a script in a tab from its first page to its last. Never rejects because of a page's behavior. */
export async function runScript(script: Script, options: RunOptions): Promise<ScriptEnd> {
  const missingVariables = options.secrets.missing(script.variables)
  if (missingVariables.length > 0) {
    const missingDetail = `No value for ${missingVariables.map((name) => `<${name}>`).join(', ')}`
    return { kind: 'failed', reason: 'invalid-task', detail: missingDetail, screenshot: null }
  }
  const valueFault = options.secrets.findFault(script.variables)
  if (valueFault !== null) return { kind: 'failed', reason: 'invalid-task', detail: valueFault, screenshot: null }
  const scriptRun: ScriptRun = { ...options, endsAt: performance.now() + options.timeoutMs, stateCount: 0 }
  for (const page of script.pages) {
    const scriptEnd = await runScriptPage(scriptRun, script, page)
    if (scriptEnd) return scriptEnd
  }
  return { kind: 'done' }
}
