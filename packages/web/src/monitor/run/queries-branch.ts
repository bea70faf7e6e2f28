import type { ScanId } from '@clearway/contract/kit/id.ts'
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { useMutation } from '../../kit/client/use-mutation.ts'
import { toServerPaging } from '../../kit/list/search.ts'
import { type MonitorApi, useSession } from '../user/model.ts'
import type { BranchSearch } from './model-branch.ts'

export const branchListQuery = (apiClient: MonitorApi, scanId: ScanId, search: BranchSearch) =>
  queryOptions({
    queryKey: ['branches', scanId, 'list', search],
    queryFn: ({ signal }) =>
      apiClient.listBranchRuns(
        { params: { id: scanId }, query: { ...toServerPaging(search), search: search.q || undefined } },
        signal,
      ),
    placeholderData: keepPreviousData,
  })

type BranchRunPath = { id: ScanId; branchRun: string }

export const branchRunQuery = (apiClient: MonitorApi, path: BranchRunPath) =>
  queryOptions({
    queryKey: ['branches', path.id, 'one', path.branchRun],
    queryFn: ({ signal }) => apiClient.readBranchRun({ params: path }, signal),
  })

export function useBranchRemoval(scanId: ScanId) {
  const { api: apiClient } = useSession()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (branchRun: string) => apiClient.deleteBranchRun({ params: { id: scanId, branchRun } }),
    // Not awaited, so that the dialog closes before its row is gone.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['branches', scanId, 'list'] }),
  })
}
