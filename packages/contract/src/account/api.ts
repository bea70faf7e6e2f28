import { memberApi } from './member/api.ts'
import { noticeApi } from './notice/api.ts'
import { teamApi } from './team/api.ts'

/** All endpoints of the account service, relative to `axeAccountUrl`. */
export const accountApi = { ...memberApi, ...teamApi, ...noticeApi }
