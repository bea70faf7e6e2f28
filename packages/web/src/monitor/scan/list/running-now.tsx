import type { ScanSummary } from '@clearway/contract/monitor/scan/schema.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, useEffect, useRef } from 'react'
import { useIsUserActive, useOnReturn } from '../../../kit/client/use-user-activity.ts'
import { OptionalPart } from '../../../kit/page/optional-part.tsx'
import { withDeferredTexts } from '../../../kit/text/deferred-texts.ts'
import { useSession } from '../../user/model.ts'
import { runningScansQuery } from '../queries.ts'

// Most of the time no run is active.
const RunningScans = lazy(() =>
  withDeferredTexts(import('./running-scans.tsx')).then((module) => ({ default: module.RunningScans })),
)

/** Active runs. The list below is refetched when one ends. */
export function RunningNow({ onCancel }: { onCancel: (scan: ScanSummary) => void }) {
  const { api: apiClient } = useSession()
  const queryClient = useQueryClient()
  const isUserActive = useIsUserActive()
  const { data: runningScans, dataUpdatedAt, refetch: refetchRunning } = useQuery(runningScansQuery(apiClient, isUserActive))
  useOnReturn(isUserActive, refetchRunning)
  const runningIds = runningScans?.content.map((scan) => scan.id).join()
  const previousIdsRef = useRef(runningIds)
  useEffect(() => {
    if (previousIdsRef.current !== undefined && previousIdsRef.current !== runningIds)
      void queryClient.invalidateQueries({ queryKey: ['scans', 'list'] })
    previousIdsRef.current = runningIds
  }, [runningIds, queryClient])
  if (!runningScans?.content.length) return null
  return (
    <OptionalPart>
      <RunningScans scans={runningScans.content} pausedAt={isUserActive ? null : dataUpdatedAt} onCancel={onCancel} />
    </OptionalPart>
  )
}
