import { memberApi } from './member/api.ts'
import { noticeApi } from './notice/api.ts'
import { teamApi } from './team/api.ts'

/** Every call of the account service, below `axeAccountUrl`. */
export const accountApi = { ...memberApi, ...teamApi, ...noticeApi }
