import type { Account } from '@clearway/contract/account/member/provider/schema.ts'
import type { MonitorDb } from '../../database.ts'
import { removeTeam } from '../store.ts'
import { deleteRights, upsertPerson, anonymizePerson } from './store.ts'

type PersonDeps = { db: MonitorDb }

/** Syncs a person with their account of the embedded identity provider. Deactivation ends keys and subscriptions. */
export async function syncAccount(deps: PersonDeps, account: Account): Promise<void> {
  await upsertPerson(deps, account)
  if (account.state === 'deactivated') await deleteRights(deps, account.id)
}

/** Removes the name, permissions and memberships of a deleted account; the person's contributions stay. */
export async function removeAccount(deps: PersonDeps, personId: string): Promise<void> {
  await deleteRights(deps, personId)
  await anonymizePerson(deps, personId)
}

/** Removes a team that was deleted in the embedded account service, with the access that it gave. */
export const removeDeletedTeam = (deps: PersonDeps, teamId: string): Promise<void> => removeTeam(deps, teamId)
