import type { scanDraftApi } from '@clearway/contract/monitor/scan/draft/api.ts'
import type { Handlers } from '../../../kit/http/answer.ts'
import type { MonitorDb } from '../../database.ts'
import { discardDraft, draftFor, keepDraft } from './service.ts'

/** Drafts of scans over HTTP. */
export const scanDraftHandlers = (deps: { db: MonitorDb }): Handlers<typeof scanDraftApi> => ({
  readNewDraft: ({ query }, { caller }) => draftFor(deps, { caller: caller!, scanId: null, ...query }),
  saveNewDraft: ({ query, body }, { caller }) =>
    keepDraft(deps, { caller: caller!, scanId: null, ...query }, body),
  deleteNewDraft: ({ query }, { caller }) => discardDraft(deps, { caller: caller!, scanId: null, ...query }),
  readScanDraft: ({ params }, { caller }) => draftFor(deps, { caller: caller!, scanId: params.id }),
  saveScanDraft: ({ params, body }, { caller }) =>
    keepDraft(deps, { caller: caller!, scanId: params.id }, body),
  deleteScanDraft: ({ params }, { caller }) => discardDraft(deps, { caller: caller!, scanId: params.id }),
})
