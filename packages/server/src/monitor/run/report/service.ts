import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MonitorDb } from '../../database.ts'
import { type Asked, overviewFor, type RunDeps, withRun } from '../service.ts'
import { runById, planRow } from '../store.ts'
import { isRefusal } from '../../../kit/http/answer.ts'

/** Where summaries of runs go, and the secret that signs them; null when no reporting product is set up. */
export type ReportTarget = { url: string; secret: string } | null
export type ReportDeps = { db: MonitorDb; report: ReportTarget }

const attempts = 3
const waitMs = 1000
const timeoutMs = 10_000

type Sent = { success: true } | { success: false; message: string }

/** Posts a signed summary: the header contains the time and the HMAC-SHA256 over `time.body`. Tried again when it may help. */
async function post(target: NonNullable<ReportTarget>, body: string): Promise<Sent> {
  let message = ''
  for (let attempt = 0; attempt < attempts; attempt++) {
    if (attempt > 0) await sleep(waitMs * 2 ** (attempt - 1))
    const time = Math.floor(Date.now() / 1000)
    const signature = createHmac('sha256', target.secret).update(`${time}.${body}`).digest('hex')
    try {
      const reply = await fetch(target.url, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json',
          'x-clearway-signature': `t=${time},v1=${signature}`,
        },
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      })
      if (reply.ok) return { success: true }
      message = `The reporting product answered ${reply.status}.`
      // What it refuses it refuses again.
      if (reply.status < 500 && reply.status !== 429) break
    } catch {
      message = 'The reporting product does not answer.'
    }
  }
  return { success: false, message }
}

/** Sends the summary of a run to the reporting product. A failure is an answer, not an error. */
export const reportFor = (deps: RunDeps & ReportDeps, asked: Asked) =>
  withRun(deps, asked, async (): Promise<Sent> => {
    if (!deps.report) return { success: false, message: 'No reporting product is set up.' }
    const overview = await overviewFor(deps, asked, true)
    if (isRefusal(overview)) return { success: false, message: 'There is no such run.' }
    return post(deps.report, JSON.stringify({ event: 'run', run: overview }))
  })

/** Sends the summary of a run that has completed by itself, unless its scan says no. */
export async function reportEnded(deps: RunDeps & ReportDeps, runId: string): Promise<void> {
  if (!deps.report) return
  const run = await runById(deps, runId)
  if (run?.status !== 'completed') return
  const { settings } = await planRow(deps, runId)
  if (settings.sendToReports) await reportFor(deps, { id: run.scan_id, run: run.number })
}
