import { define } from '../../kit/endpoint.ts'
import { GlobalConfig, GlobalConfigBody, Notice, NoticeBody } from './schema.ts'

export const noticeApi = define({
  globalConfig: {
    method: 'GET',
    path: '/axe-account/global-config',
    permission: 'signed-in',
    summary: 'What holds for the whole organisation',
    reply: GlobalConfig,
  },
  updateGlobalConfig: {
    method: 'PUT',
    path: '/axe-account/global-config',
    permission: 'admin',
    summary: 'Sets the message of the administrators',
    body: GlobalConfigBody,
    reply: GlobalConfig,
  },
  readNotice: {
    method: 'GET',
    path: '/axe-account/global-config-notice',
    permission: 'signed-in',
    summary: 'Whether the caller is to see the notice now',
    reply: Notice,
  },
  answerNotice: {
    method: 'POST',
    path: '/axe-account/global-config-notice',
    permission: 'signed-in',
    summary: 'Puts the notice off for two weeks, or away',
    body: NoticeBody,
    reply: Notice,
  },
})
