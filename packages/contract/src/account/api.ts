import { memberApi } from './member/api.ts'

/** Every call of the account service, below `axeAccountUrl`. */
export const accountApi = { ...memberApi }
