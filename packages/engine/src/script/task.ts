import { parseScript } from '@clearway/contract/monitor/script/model.ts'
import type { Script } from '@clearway/contract/monitor/script/schema.ts'
import { readAddress } from '../crawl/address.ts'
import { brokenVisit, inTab, withTab, type Result } from '../crawl/claim-visit.ts'
import { complete } from '../crawl/complete.ts'
import type { Course, VisitDeps } from '../crawl/course.ts'
import type { Desk } from '../crawl/desk.ts'
import { lookTwice, shown } from '../crawl/look.ts'
import type { Claim, StateOutcome } from '../frontier.ts'
import type { PlannedScript } from '../settings.ts'
import { runScript } from './run.ts'
import { openSecrets, redactAll, type Secrets } from './secret.ts'

const graceMs = 10_000

/** `{page name}-{analyze title}`; states without a title are told apart by their number. */
const labelOf = (page: string, title: string | null, number: number): string =>
  title !== null ? `${page}-${title}` : number > 1 ? `${page}-${number}` : page

type Analysed = { states: StateOutcome[] }

/** Analyses what the tab shows as a state of its own. */
async function analyseState(
  deps: VisitDeps,
  claim: Claim,
  tab: Course['tab'],
  label: string,
  secrets: Secrets,
  analysed: Analysed,
): Promise<{ reason: 'timeout-command' | 'session-failed'; found: string } | null> {
  const now = await shown(tab)
  if (!now) return { reason: 'timeout-command', found: 'the page does not answer' }
  const address = readAddress(now.url, deps.plan.advanced)
  const place = secrets.redact(address.ok ? address.key : now.url)
  const key = `${place} state ${claim.key} ${label}`
  const began = performance.now()
  const course: Course = {
    deps,
    tab,
    claim: { ...claim, url: now.url },
    key: address.ok ? address.key : now.url,
    began,
    end: began + deps.plan.advanced.pageTimeoutMs,
    typed: secrets.values.length > 0,
  }
  const seen = await lookTwice(course)
  if (!seen) return { reason: 'timeout-command', found: 'the page does not answer' }
  if ('kind' in seen)
    return seen.kind === 'signed-out'
      ? { reason: 'session-failed', found: 'the page shows that the scan is signed out' }
      : null
  const document = {
    kind: 'document',
    url: now.url,
    status: 200,
    mimeType: null,
    loaderId: now.loaderId,
    retryAfter: undefined,
    lastModified: undefined,
  } as const
  const { outcome } = await complete(course, document, seen)
  const labelled = outcome.kind === 'completed' ? { ...outcome, stateLabel: label } : outcome
  analysed.states.push({
    url: secrets.redact(now.url),
    key,
    label,
    outcome: redactAll(secrets, labelled),
  })
  return null
}

/** Walks a script in a tab; its states are pages, its own entry tells how it went. */
async function walkScript(
  desk: Desk,
  claim: Claim,
  script: Script,
  planned: PlannedScript,
  tab: Course['tab'],
): Promise<Result> {
  const began = performance.now()
  const secrets = openSecrets(planned.variables)
  const analysed: Analysed = { states: [] }
  const { advanced } = desk.plan
  const end = await runScript(script, {
    tab,
    guard: desk.visit.guard,
    secrets,
    referrer: advanced.referrer,
    timeoutMs: advanced.scriptTimeoutMs,
    allowEval: desk.task.allowEval,
    pictures: false,
    analyze: ({ page, title, number }) =>
      analyseState(desk.visit, claim, tab, labelOf(page, title, number), secrets, analysed),
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
  desk: Desk,
  claim: Claim,
  number: number,
  signal: AbortSignal,
): Promise<Result> {
  const began = performance.now()
  const planned = desk.task.scripts[number]
  if (!planned) return brokenVisit('invalid-task', 'The run has no such script', began)
  const parsed = parseScript(planned.text, 'TASK')
  if (!parsed.ok) {
    const [first] = parsed.errors
    const detail = `Line ${first?.line}, column ${first?.column}: read “${first?.read}”, expected ${first?.expected}`
    return brokenVisit('invalid-task', detail, began)
  }
  const signed = await desk.lanes.browsingFor(URL.parse(parsed.script.pages[0]?.url ?? ''))
  if (signed.kind === 'failed') return brokenVisit(signed.reason, signed.detail, began)
  const options = { url: claim.url, limitMs: desk.plan.advanced.scriptTimeoutMs + graceMs, signal }
  const browsing = { ...signed.browsing }
  try {
    return await withTab(desk, browsing, (lease) =>
      inTab(desk, lease, walkScript(desk, claim, parsed.script, planned, lease.tab), options),
    )
  } finally {
    await desk.pool.leave(browsing)
  }
}
