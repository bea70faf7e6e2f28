import type { ProductLimits } from '@clearway/contract/kit/limit.ts'
import { hasPermission } from '@clearway/contract/kit/permission.ts'
import type { Config } from '../../../config.ts'
import { type Caller, type EventsReply, isRefusal, type Refusal, refuse } from '../../../kit/http/answer.ts'
import { canCreateScans } from '../../access/service.ts'
import { findRoleOnScan } from '../../access/store.ts'
import type { SecretDeps } from '../../session/service.ts'
import { createTooManyTriesMessage } from '../../setting/model.ts'
import { readCurrentQuotas } from '../../setting/service.ts'
import type { Previews } from '../task-client/service.ts'

export type PreviewDeps = SecretDeps & {
  config: Config
  limits: ProductLimits
  previews: Previews
  slots: Slots
  reachSlots: Slots
}

/** Acquires one of a few slots, at most `maxSlots` per person; returns its release function, or the reason for a refusal. */
export type Slots = (personId: string, maxSlots: number) => (() => void) | 'full' | 'quota'
export function openSlots(count: number): Slots {
  const heldSlots: { personId: string }[] = []
  return (personId, maxSlots) => {
    if (heldSlots.filter((one) => one.personId === personId).length >= maxSlots) return 'quota'
    if (heldSlots.length >= count) return 'full'
    const ownSlot = { personId }
    heldSlots.push(ownSlot)
    return () => {
      const slotIndex = heldSlots.indexOf(ownSlot)
      if (slotIndex >= 0) heldSlots.splice(slotIndex, 1)
    }
  }
}

/** Acquires a slot for a preview, or returns a refusal. Keystores are counted by their waiting tasks instead. */
export async function enterSlot(deps: PreviewDeps, personId: string): Promise<(() => void) | Refusal> {
  const { tries: maxTries } = await readCurrentQuotas(deps)
  const slotResult = deps.slots(personId, maxTries)
  if (slotResult === 'quota') return refuse('quota-tries', { detail: createTooManyTriesMessage(maxTries) })
  if (slotResult === 'full') return refuse('too-many-requests', { detail: 'Others try something just now. Try again shortly.' })
  return slotResult
}

/** Refuses callers who may not edit the given scan, or create scans if none is given. Null when allowed. */
export async function checkPreviewAccess(deps: PreviewDeps, caller: Caller, scanId: string | undefined): Promise<Refusal | null> {
  if (scanId === undefined) return (await canCreateScans(deps, caller)) ? null : refuse('access-denied')
  const scanRole = await findRoleOnScan(deps, caller, scanId)
  if (scanRole === null) return refuse('not-found')
  return hasPermission(scanRole, 'scan.manage') ? null : refuse('access-denied')
}

/** Runs `work` while the client listens, in one of this process's few slots. Its signal aborts when the client disconnects. */
export async function streamWhileListening(
  deps: PreviewDeps,
  personId: string,
  work: (send: (event: unknown) => void, signal: AbortSignal) => Promise<void>,
): Promise<EventsReply | Refusal> {
  const leaveSlot = await enterSlot(deps, personId)
  if (isRefusal(leaveSlot)) return leaveSlot
  const missingReason = await deps.previews.missing().catch((error: unknown) => {
    leaveSlot()
    throw error
  })
  if (missingReason !== null) {
    leaveSlot()
    return refuse('no-browser', { detail: missingReason })
  }
  return {
    start: (send, end) => {
      const disconnectController = new AbortController()
      void work(send, disconnectController.signal)
        // The client notices that the final event is missing.
        .catch(() => undefined)
        .finally(() => {
          leaveSlot()
          end()
        })
      return () => disconnectController.abort()
    },
  }
}
