import type { noticeApi } from '@clearway/contract/account/notice/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import { answerNotice, globalConfig, type NoticeDeps, noticeFor, updateGlobalConfig } from './service.ts'

/** The organisation's configuration and its notice over HTTP. */
export const noticeHandlers = (deps: NoticeDeps): Handlers<typeof noticeApi> => ({
  globalConfig: () => globalConfig(deps),
  updateGlobalConfig: ({ body }) => updateGlobalConfig(deps, body.message),
  readNotice: (_received, { caller }) => noticeFor(deps, caller!),
  answerNotice: ({ body }, { caller }) => answerNotice(deps, caller!, body.action),
})
