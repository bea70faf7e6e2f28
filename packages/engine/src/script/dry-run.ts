import { parseScript } from '@clearway/contract/monitor/script/model.ts'
import type { Script, ScriptError, ScriptType } from '@clearway/contract/monitor/script/schema.ts'
import type { BrowserPool } from '../browser/pool.ts'
import { runInTab, runWithTab, type ClaimResult } from '../crawl/visit/run-claim.ts'
import { openMemoryFrontier } from '../crawl/memory-frontier.ts'
import { openScanContext } from '../scan-open.ts'
import type { PlannedScript, ScanPlan } from '../settings.ts'
import { openProver, type ProverDeps } from '../session/prove.ts'
import { runScript, type RunOptions, type ScriptEnd, type StepResult } from './run.ts'
import { openScriptSecrets } from './secret.ts'

export type DryRunResult =
  | { kind: 'ran'; steps: StepResult[]; end: ScriptEnd }
  | { kind: 'invalid'; errors: ScriptError[] }
  /** The run cannot start: no browser, no sign-in. `detail` is English. */
  | { kind: 'problem'; detail: string }

const graceMs = 10_000

/** Runs a script. One that signs in has to prove it: that all actions ran does not mean that the site accepted the password. */
async function runProved(deps: ProverDeps, script: Script, type: ScriptType, options: RunOptions): Promise<ScriptEnd> {
  if (type !== 'SESSION') return runScript(script, options)
  const prover = await openProver(deps, options.tab, null)
  const scriptEnd = await runScript(script, { ...options, beforeAction: prover.noteSignInPage })
  if (scriptEnd.kind === 'failed') return scriptEnd
  const proved = await prover.prove()
  if (proved.ok) return scriptEnd
  const detail = options.secrets.redact(`All actions ran, but the sign-in was refused. ${proved.detail}`)
  return { kind: 'failed', reason: 'authentication', detail, screenshot: null }
}

/**
 * Runs a script like a scan without analyzing pages, and returns each step with a screenshot. `onStep` receives steps
 * as they finish. Stores nothing; `signal` aborts it.
 */
export async function dryRun(
  dryRunDeps: { pool: BrowserPool; onStep?: (step: StepResult) => void },
  plannedScript: PlannedScript & { type: ScriptType },
  plan: ScanPlan,
  signal: AbortSignal,
): Promise<DryRunResult> {
  const parsedScript = parseScript(plannedScript.text, plannedScript.type)
  if (!parsedScript.ok) return { kind: 'invalid', errors: parsedScript.errors }
  const memoryFrontier = openMemoryFrontier({ pageLimit: 1, onRecorded: () => undefined })
  const openedScan = await openScanContext({ pool: dryRunDeps.pool, frontier: memoryFrontier }, plan)
  if (openedScan.kind === 'problem') return { kind: 'problem', detail: openedScan.detail }
  const { context, guard } = openedScan
  const stepResults: StepResult[] = []
  let scriptEnd: ScriptEnd | null = null
  try {
    const signInResult = await context.sessions.getBrowsing(URL.parse(parsedScript.script.pages[0]?.url ?? ''))
    if (signInResult.kind === 'failed') return { kind: 'problem', detail: signInResult.detail }
    const visitResult = await runWithTab(context, { ...signInResult.browsing }, (lease) => {
      const scriptRun = runProved({ guard, plan, acting: context.visit.acting }, parsedScript.script, plannedScript.type, {
        tab: lease.tab,
        guard,
        secrets: openScriptSecrets(parsedScript.script, plannedScript.variables),
        referrer: plan.advanced.referrer,
        timeoutMs: plan.advanced.scriptTimeoutMs,
        allowEval: plan.allowEval ?? false,
        pictures: true,
        analyze: async () => null,
        onStep(step) {
          stepResults.push(step)
          dryRunDeps.onStep?.(step)
        },
      }).then((runEnd): ClaimResult => {
        scriptEnd = runEnd
        return { kind: 'stopped' }
      })
      const limitMs = plan.advanced.scriptTimeoutMs + graceMs
      return runInTab(context, lease, scriptRun, { url: plannedScript.name, limitMs, signal })
    })
    if (scriptEnd) return { kind: 'ran', steps: stepResults, end: scriptEnd }
    // The page or the browser was lost, the time limit was reached, or the run was aborted.
    if (visitResult.kind === 'visited' && visitResult.visit.outcome.kind === 'failed') {
      const { reason, detail } = visitResult.visit.outcome
      return { kind: 'ran', steps: stepResults, end: { kind: 'failed', reason, detail, screenshot: null } }
    }
    return { kind: 'problem', detail: visitResult.kind === 'no-browser' ? visitResult.why : 'It was stopped' }
  } finally {
    await openedScan.close()
  }
}
