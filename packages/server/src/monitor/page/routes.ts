import type { pageApi } from '@clearway/contract/monitor/page/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import type { MonitorDb } from '../database.ts'
import { contentFor, pageFor, pagesFor } from './service.ts'

export const pageHandlers = (deps: { db: MonitorDb }): Handlers<typeof pageApi> => ({
  listPages: ({ query }, { caller }) => pagesFor(deps, caller!, query),
  readPage: ({ params }) => pageFor(deps, params.id),
  readPageContent: ({ params }) => contentFor(deps, params.id),
})
