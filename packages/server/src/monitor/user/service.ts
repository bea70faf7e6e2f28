import type { OwnSettings, StoredOwnSettings } from '@clearway/contract/monitor/user/schema.ts'
import type { Config } from '../../config.ts'
import type { Caller } from '../../kit/http/answer.ts'
import { type AccessDeps, getPermissions } from '../access/service.ts'
import { findOwnSettings, keepOwnSettings } from './store.ts'

export type UserDeps = AccessDeps & { config: Config }

/** What the caller may do beyond single scans. */
export const permissionsFor = (deps: AccessDeps, caller: Caller) => getPermissions(deps, caller)

export async function ownSettingsFor(deps: UserDeps, caller: Caller): Promise<StoredOwnSettings> {
  const { mentionMails, email } = await findOwnSettings(deps, caller.id)
  return { mentionMails, email, sendsMail: deps.config.CLEARWAY_SMTP_URL !== null }
}

export async function changeOwnSettings(deps: UserDeps, caller: Caller, settings: OwnSettings) {
  await keepOwnSettings(deps, caller.id, settings)
  return ownSettingsFor(deps, caller)
}
