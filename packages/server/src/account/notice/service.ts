import type { GlobalConfig, Notice } from '@clearway/contract/account/notice/schema.ts'
import type { Caller } from '../../kit/http/answer.ts'
import type { AccountDb } from '../database.ts'
import { getAccount, type MemberDeps } from '../member/service.ts'
import { isNoticeDue, reminderDelayMs } from './model.ts'
import { findNoticeAnswer, saveNoticeAnswer, readConfig, getOrCreateSecret, writeMessage } from './store.ts'

export type NoticeDeps = {
  db: AccountDb
  terms: { version: string; required: boolean; url: string }
  organisation: string
  directory: MemberDeps['directory']
}

export async function getGlobalConfig(deps: NoticeDeps): Promise<GlobalConfig> {
  const { message, version } = await readConfig(deps)
  const { terms, organisation } = deps
  return { organisation, termsRequired: terms.required, termsUrl: terms.url, termsVersion: terms.version, message, version }
}

export async function updateGlobalConfig(deps: NoticeDeps, message: string | null): Promise<GlobalConfig> {
  await writeMessage(deps, message)
  return getGlobalConfig(deps)
}

export async function getNotice(deps: NoticeDeps, caller: Caller): Promise<Notice> {
  const [noticeConfig, noticeAnswer] = await Promise.all([readConfig(deps), findNoticeAnswer(deps, caller.id)])
  const shouldShow = isNoticeDue(noticeConfig, noticeAnswer, new Date())
  const postponedUntil = !shouldShow && noticeAnswer?.version === noticeConfig.version ? noticeAnswer.remindAt : null
  return { show: shouldShow, message: shouldShow ? noticeConfig.message : null, remindAt: postponedUntil?.toISOString() ?? null }
}

export async function answerNotice(deps: NoticeDeps, caller: Caller, action: 'remind' | 'dismiss'): Promise<Notice> {
  await getAccount(deps, caller)
  const { version } = await readConfig(deps)
  const nextReminderAt = action === 'remind' ? new Date(Date.now() + reminderDelayMs) : null
  await saveNoticeAnswer(deps, caller.id, { version, remindAt: nextReminderAt })
  return getNotice(deps, caller)
}

export const getAccountSecret = (deps: { db: AccountDb }): Promise<Buffer> => getOrCreateSecret(deps, 'pages')
