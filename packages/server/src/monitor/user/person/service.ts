import type { Account } from '@clearway/contract/account/member/provider/schema.ts'
import type { MonitorDb } from '../../database.ts'
import { endRights, keepPerson, losePerson } from './store.ts'

type Deps = { db: MonitorDb }

/** Follows an account of the embedded identity provider. Of one that was deactivated, keys and subscriptions end. */
export async function keepAccount(deps: Deps, account: Account): Promise<void> {
  await keepPerson(deps, account)
  if (account.state === 'deactivated') await endRights(deps, account.id)
}

/** What a person did stays; their name, rights and memberships go. */
export async function forgetAccount(deps: Deps, id: string): Promise<void> {
  await endRights(deps, id)
  await losePerson(deps, id)
}
