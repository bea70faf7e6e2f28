import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionExchange } from '@clearway/engine/session/share.ts'
import type { Seal } from '../../../kit/seal.ts'
import type { MonitorDb } from '../../database.ts'
import { maxSilenceSeconds } from '../table.ts'
import { acquireSignIn, findSession, releaseSignIn, renewSignIn, storeSession } from './store.ts'

type ExchangeDeps = { db: MonitorDb; seal: Seal; log: (level: 'warn', message: string) => void }

const pollIntervalMs = 500
const getSealContext = (runId: string) => `${runId} session`

/** Opens the exchange of a run's session between workers: one signs in, others take it over. A dead worker's lease expires. */
export function openSessionExchange(deps: ExchangeDeps, runId: string, signal: AbortSignal): SessionExchange {
  const token = randomUUID()
  let renewalTimer: NodeJS.Timeout | undefined
  const renewLease = () =>
    renewSignIn(deps, runId, token).catch((error: unknown) => deps.log('warn', `sign-in of run ${runId}: ${String(error)}`))
  /** Reads a session newer than a generation; null if there is none, or none that this worker's key opens. */
  const readNewer = async (knownGeneration: number) => {
    const session = await findSession(deps, runId)
    if (!session?.sealed || session.generation <= knownGeneration) return null
    const text = deps.seal.open(session.sealed, getSealContext(runId))
    return text === null ? null : { kind: 'theirs' as const, generation: session.generation, text }
  }
  return {
    async take(knownGeneration) {
      while (!signal.aborted) {
        const newerSession = await readNewer(knownGeneration)
        if (newerSession) return newerSession
        if (await acquireSignIn(deps, runId, knownGeneration, token)) {
          renewalTimer = setInterval(() => void renewLease(), (maxSilenceSeconds.signIn * 1000) / 3)
          return { kind: 'ours', generation: knownGeneration + 1, text: '' }
        }
        await sleep(pollIntervalMs, undefined, { signal }).catch(() => undefined)
      }
      return null
    },
    async give(generation, text) {
      clearInterval(renewalTimer)
      if (text === null) return releaseSignIn(deps, runId, token)
      return storeSession(deps, runId, token, { generation, sealed: deps.seal.close(text, getSealContext(runId)) })
    },
  }
}
