import { parseScript } from '@clearway/contract/monitor/script/model.ts'
import type { ScriptError, ScriptType } from '@clearway/contract/monitor/script/schema.ts'
import type { BrowserPool } from '../browser/pool.ts'
import { inTab, withTab, type Result } from '../crawl/visit/claim.ts'
import { openMemoryFrontier } from '../crawl/memory-frontier.ts'
import { openScanContext } from '../scan-open.ts'
import type { PlannedScript, ScanPlan } from '../settings.ts'
import { runScript, type ScriptEnd, type StepResult } from './run.ts'
import { openSecrets } from './secret.ts'

export type DryRun =
  | { kind: 'ran'; steps: StepResult[]; end: ScriptEnd }
  | { kind: 'invalid'; errors: ScriptError[] }
  /** The run itself cannot begin: no browser, no sign-in. `detail` is English. */
  | { kind: 'problem'; detail: string }

const graceMs = 10_000

/**
 * Walks a script as a scan would, without analysing anything, and answers each step with a picture. `onStep` gets them as
 * they are done. Nothing is stored; `signal` ends it early.
 */
export async function dryRun(
  deps: { pool: BrowserPool; onStep?: (step: StepResult) => void },
  planned: PlannedScript & { type: ScriptType },
  plan: ScanPlan,
  signal: AbortSignal,
): Promise<DryRun> {
  const parsed = parseScript(planned.text, planned.type)
  if (!parsed.ok) return { kind: 'invalid', errors: parsed.errors }
  const frontier = openMemoryFrontier({ pageLimit: 1, onRecorded: () => undefined })
  const opened = await openScanContext({ pool: deps.pool, frontier }, plan)
  if (opened.kind === 'problem') return { kind: 'problem', detail: opened.detail }
  const { context, guard } = opened
  const steps: StepResult[] = []
  let end: ScriptEnd | null = null
  try {
    const signed = await context.sessions.browsingFor(URL.parse(parsed.script.pages[0]?.url ?? ''))
    if (signed.kind === 'failed') return { kind: 'problem', detail: signed.detail }
    const walked = await withTab(context, { ...signed.browsing }, (lease) => {
      const walking = runScript(parsed.script, {
        tab: lease.tab,
        guard,
        secrets: openSecrets(planned.variables),
        referrer: plan.advanced.referrer,
        timeoutMs: plan.advanced.scriptTimeoutMs,
        allowEval: plan.allowEval ?? false,
        pictures: true,
        analyze: async () => null,
        onStep(step) {
          steps.push(step)
          deps.onStep?.(step)
        },
      }).then((done): Result => {
        end = done
        return { kind: 'stopped' }
      })
      const limitMs = plan.advanced.scriptTimeoutMs + graceMs
      return inTab(context, lease, walking, { url: planned.name, limitMs, signal })
    })
    if (end) return { kind: 'ran', steps, end }
    // The page or the browser went away, the time was up, or somebody stopped it.
    if (walked.kind === 'visited' && walked.visit.outcome.kind === 'failed') {
      const { reason, detail } = walked.visit.outcome
      return { kind: 'ran', steps, end: { kind: 'failed', reason, detail, screenshot: null } }
    }
    return { kind: 'problem', detail: walked.kind === 'no-browser' ? walked.why : 'It was stopped' }
  } finally {
    await opened.close()
  }
}
