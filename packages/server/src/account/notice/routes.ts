import type { noticeApi } from '@clearway/contract/account/notice/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import { answerNotice, getGlobalConfig, type NoticeDeps, getNotice, updateGlobalConfig } from './service.ts'

export const noticeHandlers = (deps: NoticeDeps): Handlers<typeof noticeApi> => ({
  globalConfig: () => getGlobalConfig(deps),
  updateGlobalConfig: ({ body }) => updateGlobalConfig(deps, body.message),
  readNotice: (_received, { caller }) => getNotice(deps, caller!),
  answerNotice: ({ body }, { caller }) => answerNotice(deps, caller!, body.action),
})
