import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { IgnorePatch } from '@clearway/contract/monitor/issue/ignore/schema.ts'
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { useMutation } from '../../kit/client/use-mutation.ts'
import { toServerPaging } from '../../kit/list/search.ts'
import { type MonitorApi, useSession } from '../user/model.ts'
import { type RegisterSearch, toRegisterFilters } from './model-register.ts'

export function registerQuery(apiClient: MonitorApi, search: RegisterSearch) {
  const listParams = { ...toRegisterFilters(search), ...toServerPaging(search), sort: [search.sort] }
  return queryOptions({
    queryKey: ['ignores', 'list', listParams],
    queryFn: ({ signal }) => apiClient.listRegister({ query: listParams }, signal),
    placeholderData: keepPreviousData,
  })
}

export const registerChoicesQuery = (apiClient: MonitorApi) =>
  queryOptions({ queryKey: ['ignores', 'choices'], queryFn: ({ signal }) => apiClient.listRegisterChoices({}, signal) })

type IgnorePath = { id: ScanId; ignore: string }

export function useRegisterActions() {
  const { api: apiClient } = useSession()
  const queryClient = useQueryClient()
  // Ended ignores change counts and scores of scans, runs and pages. Not awaited, so that the dialog closes before its row is gone.
  const refetchAll = () => void queryClient.invalidateQueries()
  return {
    changeIgnore: useMutation({
      mutationFn: ({ path, patch }: { path: IgnorePath; patch: IgnorePatch }) =>
        apiClient.updateIgnore({ params: path, body: patch }),
      onSettled: () => void queryClient.invalidateQueries({ queryKey: ['ignores'] }),
    }),
    endIgnore: useMutation({
      mutationFn: (path: IgnorePath) => apiClient.deleteIgnore({ params: path }),
      onSettled: refetchAll,
    }),
  }
}
