import { monitorApi } from '@clearway/contract/monitor/api.ts'
import { type RunEvent, isActiveStatus } from '@clearway/contract/monitor/run/schema.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type * as z from 'zod/mini'
import { buildUrl } from '../../../kit/client/client.ts'
import { streamEvents } from '../../../kit/client/event-stream.ts'
import { useSession } from '../../user/model.ts'
import { type RunOverviewData, type RunKey, getRunKey } from '../queries.ts'

type LiveRunEvent = z.output<typeof RunEvent>
const reconnectDelayMs = 5_000

/** Updates a run's data from its event stream while `isLive`. While a broken stream reopens, the queries poll. */
export function useLiveRun({ scanId, run }: RunKey, isLive: boolean): void {
  const { deps } = useSession()
  const queryClient = useQueryClient()
  useEffect(() => {
    if (!isLive) return
    const abortController = new AbortController()
    const runQueryKey = getRunKey({ scanId, run })
    const refetchRun = () => {
      void queryClient.invalidateQueries({ queryKey: runQueryKey })
      void queryClient.invalidateQueries({ queryKey: ['run', scanId, 'list'] })
      void queryClient.invalidateQueries({ queryKey: ['scan', scanId] })
    }
    const applyEvent = (event: LiveRunEvent) => {
      const { type, status, pages, pagesByHealth, openIssues, score } = event
      const overviewKey = [...runQueryKey, 'overview']
      const cachedRun = queryClient.getQueryData<RunOverviewData>(overviewKey)
      queryClient.setQueryData<RunOverviewData>(
        overviewKey,
        (cached) => cached && { ...cached, status, pages, pagesByHealth, openIssues, score },
      )
      // Suggestions follow the counts that they explain.
      if (cachedRun && sumIssues(cachedRun) !== sumIssues(event))
        void queryClient.invalidateQueries({ queryKey: [...runQueryKey, 'violations'] }, { cancelRefetch: false })
      const isNewStatus = cachedRun !== undefined && cachedRun.status !== status
      const hasFirstIssues = cachedRun !== undefined && sumIssues(cachedRun) === 0 && sumIssues(event) > 0
      if (type !== 'progress' || !isActiveStatus(status) || isNewStatus || hasFirstIssues) refetchRun()
    }
    void followEvents(
      () =>
        streamEvents<LiveRunEvent>(deps, buildUrl(monitorApi.runEvents, { params: { id: scanId, run } }), abortController.signal),
      applyEvent,
      abortController.signal,
    )
    return () => abortController.abort()
  }, [scanId, run, isLive, deps, queryClient])
}

const sumIssues = ({ openIssues }: Pick<LiveRunEvent, 'openIssues'>): number =>
  Object.values(openIssues).reduce((sum, count) => sum + count, 0)

async function followEvents(
  openStream: () => AsyncIterable<LiveRunEvent>,
  applyEvent: (event: LiveRunEvent) => void,
  signal: AbortSignal,
) {
  while (!signal.aborted) {
    try {
      for await (const event of openStream()) applyEvent(event)
    } catch {
      // The stream was refused or broke. Polling continues until the next attempt.
    }
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, reconnectDelayMs))
  }
}
