import type { ScanDraft } from '@clearway/contract/monitor/scan/draft/schema.ts'
import { queryOptions } from '@tanstack/react-query'
import type { MonitorApi } from '../../user/model.ts'
import { type DraftOf, dropUnsent, readUnsent } from './draft.ts'

/** The calls about one draft. */
export function draftCalls(api: MonitorApi, { scanId, begunWith }: DraftOf) {
  const ofNew = { query: { begunWith } }
  if (scanId === null)
    return {
      read: (signal: AbortSignal) => api.readNewDraft(ofNew, signal),
      save: (body: ScanDraft) => api.saveNewDraft({ ...ofNew, body }),
      discard: () => api.deleteNewDraft(ofNew),
    }
  const params = { id: scanId }
  return {
    read: (signal: AbortSignal) => api.readScanDraft({ params }, signal),
    save: (body: ScanDraft) => api.saveScanDraft({ params, body }),
    discard: () => api.deleteScanDraft({ params }),
  }
}

/** The newest draft, from the server or from this browser. One that the server does not have yet is sent. */
export const draftQuery = (api: MonitorApi, of: DraftOf) =>
  queryOptions({
    queryKey: ['draft', of],
    queryFn: async ({ signal }) => {
      const calls = draftCalls(api, of)
      const { draft: stored } = await calls.read(signal)
      const unsent = readUnsent(of)
      if (!unsent) return stored
      if (stored && stored.savedAt >= unsent.savedAt) {
        dropUnsent(of, stored)
        return stored
      }
      // A draft that the server refuses stays in the browser.
      await calls.save(unsent).then(
        () => dropUnsent(of, unsent),
        () => undefined,
      )
      return unsent
    },
    // A form is filled in from it once. Without an answer, the form opens with the draft of this browser.
    staleTime: 0,
    gcTime: 0,
    networkMode: 'always',
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
