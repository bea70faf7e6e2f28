import type { OwnSettings, StoredOwnSettings } from '@clearway/contract/monitor/user/schema.ts'
import type { Config } from '../../config.ts'
import type { Caller } from '../../kit/http/answer.ts'
import { type AccessDeps, getPermissions } from '../access/service.ts'
import { findOwnSettings, storeOwnSettings } from './store.ts'

export type UserDeps = AccessDeps & { config: Config }

export const getCallerPermissions = (deps: AccessDeps, caller: Caller) => getPermissions(deps, caller)

export async function getOwnSettings(deps: UserDeps, caller: Caller): Promise<StoredOwnSettings> {
  const { mentionMails: hasMentionMails, email: emailAddress } = await findOwnSettings(deps, caller.id)
  return { mentionMails: hasMentionMails, email: emailAddress, sendsMail: deps.config.CLEARWAY_SMTP_URL !== null }
}

export async function updateOwnSettings(deps: UserDeps, caller: Caller, settings: OwnSettings) {
  await storeOwnSettings(deps, caller.id, settings)
  return getOwnSettings(deps, caller)
}
