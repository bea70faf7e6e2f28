import { readCurrentDocument } from '../browser/tab.ts'
import { parseScript } from '@clearway/contract/monitor/script/model.ts'
import type { Script } from '@clearway/contract/monitor/script/schema.ts'
import { removeUnusedFragment } from '@clearway/contract/monitor/scan/model.ts'
import { readPageUrl } from '@clearway/contract/monitor/page/url/model.ts'
import { buildFailedClaim, runInTab, runWithTab, type ClaimResult } from '../crawl/visit/run-claim.ts'
import { completeVisit } from '../crawl/visit/complete.ts'
import { createPreparation, type VisitContext, type VisitDeps } from '../crawl/visit/context.ts'
import type { ScanContext } from '../crawl/context.ts'
import { analyzeUntilStable, type SkippedPage } from '../crawl/visit/snapshot.ts'
import type { Claim, StateOutcome } from '../frontier.ts'
import type { PlannedScript } from '../settings.ts'
import { runScript, type StepFailure } from './run.ts'
import { openScriptSecrets, redactDeep, type Secrets } from './secret.ts'

const graceMs = 10_000

/** Returns `{page name}-{analyze title}`. States without a title are distinguished by their number. */
const buildStateLabel = (page: string, title: string | null, number: number): string =>
  title !== null ? `${page}-${title}` : number > 1 ? `${page}-${number}` : page

type AnalyzedStates = { states: StateOutcome[] }

/** Returns the failure of a state that was not analyzed; null if the state is fine. */
function toStepFailure(skippedPage: SkippedPage): StepFailure | null {
  switch (skippedPage.kind) {
    case 'signed-out':
      return { reason: 'session-failed', found: 'the page shows that the scan is signed out' }
    case 'too-large':
      return { reason: 'too-large', found: skippedPage.why }
    // The scan itself skips these pages.
    case 'keyword':
    case 'unchanged':
      return null
  }
}

/** Analyzes the tab's current document as a separate state. */
async function analyzeState(
  visitDeps: VisitDeps,
  claim: Claim,
  tab: VisitContext['tab'],
  label: string,
  secrets: Secrets,
  analyzedStates: AnalyzedStates,
): Promise<StepFailure | null> {
  const currentDocument = await readCurrentDocument(tab)
  if (!currentDocument) return { reason: 'timeout-command', found: 'the page does not answer' }
  const { advanced } = visitDeps.plan
  const stateUrl = removeUnusedFragment(currentDocument.url, advanced)
  const parsedUrl = readPageUrl(stateUrl, advanced)
  const redactedKey = secrets.redact(parsedUrl.ok ? parsedUrl.key : stateUrl)
  const stateKey = `${redactedKey} state ${claim.key} ${label}`
  const startedAt = performance.now()
  const visitContext: VisitContext = {
    deps: visitDeps,
    tab,
    claim: { ...claim, url: stateUrl },
    key: parsedUrl.ok ? parsedUrl.key : stateUrl,
    startedAt,
    deadlineAt: startedAt + advanced.pageTimeoutMs,
    preparation: createPreparation(),
    hasTypedSecrets: secrets.values.length > 0,
  }
  const visitSnapshot = await analyzeUntilStable(visitContext)
  if (!visitSnapshot) return { reason: 'timeout-command', found: 'the page does not answer' }
  if ('kind' in visitSnapshot) return toStepFailure(visitSnapshot)
  const arrivedDocument = {
    kind: 'document',
    url: stateUrl,
    status: 200,
    mimeType: null,
    loaderId: currentDocument.loaderId,
    retryAfter: undefined,
    lastModified: undefined,
  } as const
  const idleUrl = removeUnusedFragment(visitSnapshot.url, advanced)
  const { outcome } = await completeVisit(visitContext, arrivedDocument, { ...visitSnapshot, url: idleUrl })
  const labeledOutcome = outcome.kind === 'completed' ? { ...outcome, stateLabel: label } : outcome
  analyzedStates.states.push({
    url: secrets.redact(stateUrl),
    key: stateKey,
    label,
    outcome: redactDeep(secrets, labeledOutcome),
  })
  return null
}

/** Runs a script in a tab. Its states are pages; its own entry records the result. */
async function runTaskScript(
  scanContext: ScanContext,
  claim: Claim,
  script: Script,
  plannedScript: PlannedScript,
  tab: VisitContext['tab'],
): Promise<ClaimResult> {
  const startedAt = performance.now()
  const scriptSecrets = openScriptSecrets(script, plannedScript.variables)
  const analyzedStates: AnalyzedStates = { states: [] }
  const { advanced } = scanContext.plan
  const scriptEnd = await runScript(script, {
    tab,
    guard: scanContext.visit.guard,
    secrets: scriptSecrets,
    referrer: advanced.referrer,
    timeoutMs: advanced.scriptTimeoutMs,
    allowEval: scanContext.task.allowEval,
    pictures: false,
    analyze: ({ page, title, number }) =>
      analyzeState(scanContext.visit, claim, tab, buildStateLabel(page, title, number), scriptSecrets, analyzedStates),
  })
  const durationMs = Math.round(performance.now() - startedAt)
  const { states: stateOutcomes } = analyzedStates
  const requests = tab.sent.read()
  const scriptOutcome: Extract<ClaimResult, { kind: 'visited' }>['visit']['outcome'] =
    scriptEnd.kind === 'failed'
      ? {
          kind: 'failed',
          reason: scriptEnd.reason,
          detail: scriptEnd.detail,
          durationMs,
          requests,
          ...(scriptEnd.screenshot ? { screenshot: scriptEnd.screenshot } : {}),
        }
      : {
          kind: 'excluded',
          reason: 'not-a-page',
          detail: `The script “${plannedScript.name}” reached ${stateOutcomes.length} states`,
          durationMs,
          requests,
        }
  return { kind: 'visited', visit: { outcome: scriptOutcome, links: [], keepTab: false }, states: stateOutcomes }
}

/** Runs one script of the run in a separate browser context. */
export async function visitScript(
  scanContext: ScanContext,
  claim: Claim,
  scriptIndex: number,
  signal: AbortSignal,
): Promise<ClaimResult> {
  const startedAt = performance.now()
  const plannedScript = scanContext.task.scripts[scriptIndex]
  if (!plannedScript) return buildFailedClaim('invalid-task', 'The run has no such script', startedAt)
  const parsedScript = parseScript(plannedScript.text, 'TASK')
  if (!parsedScript.ok) {
    const [firstError] = parsedScript.errors
    const detail = `Line ${firstError?.line}, column ${firstError?.column}: read “${firstError?.read}”, expected ${firstError?.expected}`
    return buildFailedClaim('invalid-task', detail, startedAt)
  }
  const signInResult = await scanContext.sessions.getBrowsing(URL.parse(parsedScript.script.pages[0]?.url ?? ''))
  if (signInResult.kind === 'failed') return buildFailedClaim(signInResult.reason, signInResult.detail, startedAt)
  const tabOptions = { url: claim.url, limitMs: scanContext.plan.advanced.scriptTimeoutMs + graceMs, signal }
  const scriptBrowsing = { ...signInResult.browsing }
  try {
    return await runWithTab(scanContext, scriptBrowsing, (lease) =>
      runInTab(scanContext, lease, runTaskScript(scanContext, claim, parsedScript.script, plannedScript, lease.tab), tabOptions),
    )
  } finally {
    await scanContext.pool.closeRun(scriptBrowsing)
  }
}
