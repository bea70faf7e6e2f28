import type { searchApi } from '@clearway/contract/monitor/scan/search/api.ts'
import type { Handlers } from '../../../kit/http/answer.ts'
import type { MonitorDb } from '../../database.ts'
import { searchAll } from './service.ts'

export const searchHandlers = (deps: { db: MonitorDb }): Handlers<typeof searchApi> => ({
  searchAll: ({ query }, { caller }) => searchAll(deps, caller!, query.q),
})
