import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { ScoreTarget } from '@clearway/contract/monitor/scan/goal/schema.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useMutation } from '../../kit/client/use-mutation.ts'
import { type MonitorApi, useSession } from '../user/model.ts'

export const scanGoalsQuery = (apiClient: MonitorApi, scanId: ScanId) =>
  queryOptions({
    queryKey: ['goals', scanId],
    queryFn: ({ signal }) => apiClient.readScanGoals({ params: { id: scanId } }, signal),
  })

export function useGoalActions(scanId: ScanId) {
  const { api: apiClient } = useSession()
  const queryClient = useQueryClient()
  const params = { id: scanId }
  const onSettled = () => queryClient.invalidateQueries({ queryKey: ['goals', scanId] })
  return {
    saveTarget: useMutation({
      mutationFn: (target: ScoreTarget | null) =>
        target ? apiClient.saveScanTarget({ params, body: target }) : apiClient.deleteScanTarget({ params }),
      onSettled,
    }),
    addAnnotation: useMutation({
      mutationFn: (body: { day: string; text: string }) => apiClient.createAnnotation({ params, body }),
      onSettled,
    }),
    removeAnnotation: useMutation({
      mutationFn: (annotation: string) => apiClient.deleteAnnotation({ params: { ...params, annotation } }),
      onSettled,
    }),
  }
}
