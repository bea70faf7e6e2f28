import { monitorApi } from '@clearway/contract/monitor/api.ts'
import { isActive } from '@clearway/contract/monitor/run/schema.ts'
import type { RunEvent } from '@clearway/contract/monitor/run/schema.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type * as z from 'zod/mini'
import { buildUrl } from '../../../kit/client/client.ts'
import { streamEvents } from '../../../kit/client/event-stream.ts'
import { useSession } from '../../user/model.ts'
import type { Overview, RunKey } from '../queries.ts'
import { runKey } from '../queries.ts'

type Event = z.output<typeof RunEvent>
const againMs = 5_000

/**
 * Keeps a run's numbers current by its events while `live`. A stream that breaks is opened again; meanwhile the
 * queries' own interval goes on.
 */
export function useLiveRun({ scanId, run }: RunKey, live: boolean): void {
  const { deps } = useSession()
  const client = useQueryClient()
  useEffect(() => {
    if (!live) return
    const stop = new AbortController()
    const key = runKey({ scanId, run })
    const refetch = () => {
      void client.invalidateQueries({ queryKey: key })
      void client.invalidateQueries({ queryKey: ['run', scanId, 'list'] })
      void client.invalidateQueries({ queryKey: ['scan', scanId] })
    }
    const take = (event: Event) => {
      const { type, status, pages, openIssues, score } = event
      client.setQueryData<Overview>(
        [...key, 'overview'],
        (old) => old && { ...old, status, pages, openIssues, score },
      )
      if (type !== 'progress' || !isActive(status)) refetch()
    }
    void follow(
      () =>
        streamEvents<Event>(deps, buildUrl(monitorApi.runEvents, { params: { id: scanId, run } }), stop.signal),
      take,
      stop.signal,
    )
    return () => stop.abort()
  }, [scanId, run, live, deps, client])
}

async function follow(open: () => AsyncIterable<Event>, take: (event: Event) => void, signal: AbortSignal) {
  while (!signal.aborted) {
    try {
      for await (const event of open()) take(event)
    } catch {
      // Refused or broken: the polling shows the run; the next try comes after the pause.
    }
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, againMs))
  }
}
