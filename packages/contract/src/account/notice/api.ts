import { defineEndpoints } from '../../kit/endpoint.ts'
import { GlobalConfig, GlobalConfigBody, Notice, NoticeBody } from './schema.ts'

export const noticeApi = defineEndpoints({
  globalConfig: {
    method: 'GET',
    path: '/axe-account/global-config',
    permission: 'signed-in',
    summary: 'Settings of the whole organization',
    reply: GlobalConfig,
  },
  updateGlobalConfig: {
    method: 'PUT',
    path: '/axe-account/global-config',
    permission: 'admin',
    summary: 'Sets the message from the administrators',
    body: GlobalConfigBody,
    reply: GlobalConfig,
  },
  readNotice: {
    method: 'GET',
    path: '/axe-account/global-config-notice',
    permission: 'signed-in',
    summary: 'Whether to show the notice to the caller now',
    reply: Notice,
  },
  answerNotice: {
    method: 'POST',
    path: '/axe-account/global-config-notice',
    permission: 'signed-in',
    summary: 'Postpones the notice by two weeks, or dismisses it',
    body: NoticeBody,
    reply: Notice,
  },
})
