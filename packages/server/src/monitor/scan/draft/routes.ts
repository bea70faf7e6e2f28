import type { scanDraftApi } from '@clearway/contract/monitor/scan/draft/api.ts'
import type { Handlers } from '../../../kit/http/answer.ts'
import type { MonitorDb } from '../../database.ts'
import { deleteDraft, getDraft, saveDraft } from './service.ts'

export const scanDraftHandlers = (deps: { db: MonitorDb }): Handlers<typeof scanDraftApi> => ({
  readNewDraft: ({ query }, { caller }) => getDraft(deps, { caller: caller!, scanId: null, ...query }),
  saveNewDraft: ({ query, body }, { caller }) => saveDraft(deps, { caller: caller!, scanId: null, ...query }, body),
  deleteNewDraft: ({ query }, { caller }) => deleteDraft(deps, { caller: caller!, scanId: null, ...query }),
  readScanDraft: ({ params }, { caller }) => getDraft(deps, { caller: caller!, scanId: params.id }),
  saveScanDraft: ({ params, body }, { caller }) => saveDraft(deps, { caller: caller!, scanId: params.id }, body),
  deleteScanDraft: ({ params }, { caller }) => deleteDraft(deps, { caller: caller!, scanId: params.id }),
})
