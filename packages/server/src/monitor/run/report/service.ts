import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MonitorDb } from '../../database.ts'
import { type RunPath, getRunOverview, type RunDeps, withRun } from '../service.ts'
import { findRunById, readPlan } from '../store.ts'
import { isRefusal } from '../../../kit/http/answer.ts'

/** Destination of run summaries, and the secret that signs them; null without a reporting product. */
export type ReportTarget = { url: string; secret: string } | null
export type ReportDeps = { db: MonitorDb; report: ReportTarget }

const maxAttempts = 3
const initialDelayMs = 1000
const requestTimeoutMs = 10_000

type ReportResult = { success: true } | { success: false; message: string }

/** Posts a signed summary: the header contains the time and the HMAC-SHA256 over `time.body`. Retries temporary failures. */
async function postSummary(target: NonNullable<ReportTarget>, body: string): Promise<ReportResult> {
  let errorMessage = ''
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    if (attempt > 0) await sleep(initialDelayMs * 2 ** (attempt - 1))
    const timestamp = Math.floor(Date.now() / 1000)
    const signature = createHmac('sha256', target.secret).update(`${timestamp}.${body}`).digest('hex')
    try {
      const response = await fetch(target.url, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json',
          'x-clearway-signature': `t=${timestamp},v1=${signature}`,
        },
        redirect: 'error',
        signal: AbortSignal.timeout(requestTimeoutMs),
      })
      if (response.ok) return { success: true }
      errorMessage = `The reporting product returned status ${response.status}.`
      // A client error would repeat.
      if (response.status < 500 && response.status !== 429) break
    } catch {
      errorMessage = 'The reporting product does not respond.'
    }
  }
  return { success: false, message: errorMessage }
}

/** Sends a run's summary to the reporting product. A failure is returned, not thrown. */
export const sendReport = (deps: RunDeps & ReportDeps, runPath: RunPath) =>
  withRun(deps, runPath, async (): Promise<ReportResult> => {
    if (!deps.report) return { success: false, message: 'No reporting product is set up.' }
    const runOverview = await getRunOverview(deps, runPath, 'scanViewer')
    if (isRefusal(runOverview)) return { success: false, message: 'There is no such run.' }
    return postSummary(deps.report, JSON.stringify({ event: 'run', run: runOverview }))
  })

/** Sends the summary of a completed run automatically, unless its scan disables that. */
export async function sendReportOfEndedRun(deps: RunDeps & ReportDeps, runId: string): Promise<void> {
  if (!deps.report) return
  const endedRun = await findRunById(deps, runId)
  if (endedRun?.status !== 'completed') return
  const { settings } = await readPlan(deps, runId)
  if (settings.sendToReports) await sendReport(deps, { id: endedRun.scan_id, run: endedRun.number })
}
