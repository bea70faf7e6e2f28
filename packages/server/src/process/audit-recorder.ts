import type { TeamChange } from '../account/team/service.ts'
import type { AccountEvent } from '../idp/account/service.ts'
import type { SignInAttempt } from '../idp/sign-in/routes.ts'
import { getCurrentActor } from '../kit/actor.ts'
import type { LogFunction } from '../kit/log.ts'
import { recordAuditEntry } from '../monitor/audit/service.ts'
import type { MonitorDb } from '../monitor/database.ts'
import { removeAccount, removeDeletedTeam, syncAccount } from '../monitor/user/person/service.ts'

export type AuditRecord = ReturnType<typeof createAuditRecorder>

/** Records events of the other services in the audit log. A failed record does not prevent the event. */
export function createAuditRecorder(db: MonitorDb, log: LogFunction) {
  const recordSafely = (entry: Parameters<typeof recordAuditEntry>[1]) =>
    recordAuditEntry({ db }, entry).catch((error: unknown) => log('error', `record: ${String(error)}`))
  /** The actor of the current call, or else the given one. */
  const getActorFields = (fallbackActorId: string | null) => {
    const currentActor = getCurrentActor()
    return {
      actor: currentActor ? currentActor.id : fallbackActorId,
      address: currentActor?.address ?? null,
      requestId: currentActor?.request ?? null,
    }
  }
  return {
    onSignIn: ({ result, personId, address, requestId }: SignInAttempt) =>
      recordSafely({
        action: result === 'in' ? 'signed-in' : 'refused',
        noun: 'sign-in',
        subject: personId ?? 'unknown',
        actor: result === 'in' ? personId : null,
        address,
        requestId,
        ...(result !== 'in' && { after: { reason: result } }),
      }),
    onAgreed: (personId: string, version: string) =>
      recordSafely({ action: 'agreed', noun: 'terms', subject: version, actor: personId, address: null, requestId: null }),
    /** Syncs keys and mails with their owner's account. Records changes that no table of the monitor contains. */
    onAccount: async (event: AccountEvent): Promise<void> => {
      if (event.kind === 'kept') return syncAccount({ db }, event.account)
      if (event.kind === 'deleted') return removeAccount({ db }, event.id)
      const fieldsAfter = { account: event.kind }
      // Without a call, the person is the actor; for a form, it determines whether the actor is known.
      await recordSafely({
        action: 'changed',
        noun: 'person',
        subject: event.id,
        ...getActorFields(event.id),
        after: fieldsAfter,
      })
    },
    /** Removes deleted teams from access lists, and records changes of teams. */
    onTeam: async ({ id, before, after }: TeamChange): Promise<void> => {
      if (after === null)
        await removeDeletedTeam({ db }, id).catch((error: unknown) => log('error', `deleted team: ${String(error)}`))
      const auditAction = before === null ? 'created' : after === null ? 'deleted' : 'changed'
      return recordSafely({ action: auditAction, noun: 'team', subject: id, ...getActorFields(null), before, after })
    },
  }
}
