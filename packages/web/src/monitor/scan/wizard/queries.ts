import type { ScanDraft } from '@clearway/contract/monitor/scan/draft/schema.ts'
import { queryOptions } from '@tanstack/react-query'
import type { MonitorApi } from '../../user/model.ts'
import { type DraftOwner, removeUnsentDraft, readUnsentDraft } from './draft.ts'

export function createDraftCalls(apiClient: MonitorApi, { scanId, begunWith }: DraftOwner) {
  const newDraftParams = { query: { begunWith } }
  if (scanId === null)
    return {
      read: (signal: AbortSignal) => apiClient.readNewDraft(newDraftParams, signal),
      save: (body: ScanDraft) => apiClient.saveNewDraft({ ...newDraftParams, body }),
      discard: () => apiClient.deleteNewDraft(newDraftParams),
    }
  const pathParams = { id: scanId }
  return {
    read: (signal: AbortSignal) => apiClient.readScanDraft({ params: pathParams }, signal),
    save: (body: ScanDraft) => apiClient.saveScanDraft({ params: pathParams, body }),
    discard: () => apiClient.deleteScanDraft({ params: pathParams }),
  }
}

/** Loads the latest draft from the server or this browser. Sends a draft that the server does not have yet. */
export const draftQuery = (apiClient: MonitorApi, draftOwner: DraftOwner) =>
  queryOptions({
    queryKey: ['draft', draftOwner],
    queryFn: async ({ signal }) => {
      const apiCalls = createDraftCalls(apiClient, draftOwner)
      const { draft: storedDraft } = await apiCalls.read(signal)
      const unsentDraft = readUnsentDraft(draftOwner)
      if (!unsentDraft) return storedDraft
      if (storedDraft && storedDraft.savedAt >= unsentDraft.savedAt) {
        removeUnsentDraft(draftOwner, storedDraft)
        return storedDraft
      }
      // A draft that the server refuses stays in the browser.
      await apiCalls.save(unsentDraft).then(
        () => removeUnsentDraft(draftOwner, unsentDraft),
        () => undefined,
      )
      return unsentDraft
    },
    // The response fills the form only once. Without one, the form opens with the browser's draft.
    staleTime: 0,
    gcTime: 0,
    networkMode: 'always',
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
