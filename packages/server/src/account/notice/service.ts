import type { GlobalConfig, Notice } from '@clearway/contract/account/notice/schema.ts'
import type { Caller } from '../../kit/http/answer.ts'
import type { AccountDb } from '../database.ts'
import { accountOf, type MemberDeps } from '../member/service.ts'
import { isDue, reminderMs } from './model.ts'
import { answerOf, keepAnswer, readConfig, secretOf, writeMessage } from './store.ts'

export type NoticeDeps = {
  db: AccountDb
  terms: { version: string; required: boolean; url: string }
  organisation: string
  directory: MemberDeps['directory']
}

export async function globalConfig(deps: NoticeDeps): Promise<GlobalConfig> {
  const { message, version } = await readConfig(deps)
  const { terms, organisation } = deps
  return {
    organisation,
    termsRequired: terms.required,
    termsUrl: terms.url,
    termsVersion: terms.version,
    message,
    version,
  }
}

export async function updateGlobalConfig(deps: NoticeDeps, message: string | null): Promise<GlobalConfig> {
  await writeMessage(deps, message)
  return globalConfig(deps)
}

export async function noticeFor(deps: NoticeDeps, caller: Caller): Promise<Notice> {
  const [config, answer] = await Promise.all([readConfig(deps), answerOf(deps, caller.id)])
  const show = isDue(config, answer, new Date())
  const later = !show && answer?.version === config.version ? answer.remindAt : null
  return { show, message: show ? config.message : null, remindAt: later?.toISOString() ?? null }
}

export async function answerNotice(
  deps: NoticeDeps,
  caller: Caller,
  action: 'remind' | 'dismiss',
): Promise<Notice> {
  await accountOf(deps, caller)
  const { version } = await readConfig(deps)
  const remindAt = action === 'remind' ? new Date(Date.now() + reminderMs) : null
  await keepAnswer(deps, caller.id, { version, remindAt })
  return noticeFor(deps, caller)
}

/** What the pages of the account service sign with. */
export const accountSecret = (deps: { db: AccountDb }): Promise<Buffer> => secretOf(deps, 'pages')
