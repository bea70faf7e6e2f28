import { readCurrentDocument } from '../browser/tab.ts'
import { parseScript } from '@clearway/contract/monitor/script/model.ts'
import type { Script } from '@clearway/contract/monitor/script/schema.ts'
import { readPageUrl } from '../crawl/scope/page-url.ts'
import { brokenVisit, inTab, withTab, type Result } from '../crawl/visit/claim.ts'
import { complete } from '../crawl/visit/complete.ts'
import type { VisitContext, VisitDeps } from '../crawl/visit/context.ts'
import type { ScanContext } from '../crawl/context.ts'
import { lookTwice, type Passed } from '../crawl/visit/look.ts'
import type { Claim, StateOutcome } from '../frontier.ts'
import type { PlannedScript } from '../settings.ts'
import { runScript, type Failure } from './run.ts'
import { openSecrets, redactAll, type Secrets } from './secret.ts'

const graceMs = 10_000

/** `{page name}-{analyze title}`; states without a title are distinguished by their number. */
const labelOf = (page: string, title: string | null, number: number): string =>
  title !== null ? `${page}-${title}` : number > 1 ? `${page}-${number}` : page

type Analysed = { states: StateOutcome[] }

/** Why a state that was not analysed ends its script; null where nothing is wrong with it. */
function failureOf(passed: Passed): Failure | null {
  switch (passed.kind) {
    case 'signed-out':
      return { reason: 'session-failed', found: 'the page shows that the scan is signed out' }
    case 'too-large':
      return { reason: 'too-large', found: passed.why }
    // The scan itself leaves these out.
    case 'keyword':
    case 'unchanged':
      return null
  }
}

/** Analyses what the tab shows as a state of its own. */
async function analyseState(
  deps: VisitDeps,
  claim: Claim,
  tab: VisitContext['tab'],
  label: string,
  secrets: Secrets,
  analysed: Analysed,
): Promise<Failure | null> {
  const now = await readCurrentDocument(tab)
  if (!now) return { reason: 'timeout-command', found: 'the page does not answer' }
  const read = readPageUrl(now.url, deps.plan.advanced)
  const at = secrets.redact(read.ok ? read.key : now.url)
  const key = `${at} state ${claim.key} ${label}`
  const began = performance.now()
  const context: VisitContext = {
    deps,
    tab,
    claim: { ...claim, url: now.url },
    key: read.ok ? read.key : now.url,
    began,
    end: began + deps.plan.advanced.pageTimeoutMs,
    typed: secrets.values.length > 0,
  }
  const seen = await lookTwice(context)
  if (!seen) return { reason: 'timeout-command', found: 'the page does not answer' }
  if ('kind' in seen) return failureOf(seen)
  const document = {
    kind: 'document',
    url: now.url,
    status: 200,
    mimeType: null,
    loaderId: now.loaderId,
    retryAfter: undefined,
    lastModified: undefined,
  } as const
  const { outcome } = await complete(context, document, seen)
  const labelled = outcome.kind === 'completed' ? { ...outcome, stateLabel: label } : outcome
  analysed.states.push({
    url: secrets.redact(now.url),
    key,
    label,
    outcome: redactAll(secrets, labelled),
  })
  return null
}

/** Walks a script in a tab; its states are pages, its own entry says how it went. */
async function walkScript(
  context: ScanContext,
  claim: Claim,
  script: Script,
  planned: PlannedScript,
  tab: VisitContext['tab'],
): Promise<Result> {
  const began = performance.now()
  const secrets = openSecrets(planned.variables)
  const analysed: Analysed = { states: [] }
  const { advanced } = context.plan
  const end = await runScript(script, {
    tab,
    guard: context.visit.guard,
    secrets,
    referrer: advanced.referrer,
    timeoutMs: advanced.scriptTimeoutMs,
    allowEval: context.task.allowEval,
    pictures: false,
    analyze: ({ page, title, number }) =>
      analyseState(context.visit, claim, tab, labelOf(page, title, number), secrets, analysed),
  })
  const durationMs = Math.round(performance.now() - began)
  const { states } = analysed
  const outcome: Extract<Result, { kind: 'visited' }>['visit']['outcome'] =
    end.kind === 'failed'
      ? {
          kind: 'failed',
          reason: end.reason,
          detail: end.detail,
          durationMs,
          ...(end.screenshot ? { screenshot: end.screenshot } : {}),
        }
      : {
          kind: 'excluded',
          reason: 'not-a-page',
          detail: `The script “${planned.name}” reached ${states.length} states`,
          durationMs,
        }
  return { kind: 'visited', visit: { outcome, links: [], keepTab: false }, states }
}

/** Runs one script of the run, in a browser context that nothing else uses. */
export async function visitScript(
  context: ScanContext,
  claim: Claim,
  number: number,
  signal: AbortSignal,
): Promise<Result> {
  const began = performance.now()
  const planned = context.task.scripts[number]
  if (!planned) return brokenVisit('invalid-task', 'The run has no such script', began)
  const parsed = parseScript(planned.text, 'TASK')
  if (!parsed.ok) {
    const [first] = parsed.errors
    const detail = `Line ${first?.line}, column ${first?.column}: read “${first?.read}”, expected ${first?.expected}`
    return brokenVisit('invalid-task', detail, began)
  }
  const signed = await context.sessions.browsingFor(URL.parse(parsed.script.pages[0]?.url ?? ''))
  if (signed.kind === 'failed') return brokenVisit(signed.reason, signed.detail, began)
  const options = { url: claim.url, limitMs: context.plan.advanced.scriptTimeoutMs + graceMs, signal }
  const browsing = { ...signed.browsing }
  try {
    return await withTab(context, browsing, (lease) =>
      inTab(context, lease, walkScript(context, claim, parsed.script, planned, lease.tab), options),
    )
  } finally {
    await context.pool.closeRun(browsing)
  }
}
