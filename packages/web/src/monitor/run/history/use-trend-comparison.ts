import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { RunComparison, RunStats } from '@clearway/contract/monitor/run/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../user/model.ts'
import { compareQuery } from '../queries.ts'

/** Compares the first and the last run with a score, with the figures of the screen that compares them, so that both agree. */
export function useTrendComparison(scanId: ScanId, trend: RunStats['trend']): RunComparison | undefined {
  const { api: apiClient } = useSession()
  const scoredRuns = trend.filter(({ score }) => score !== null)
  const [firstNumber, lastNumber] = [scoredRuns[0]?.number ?? 0, scoredRuns.at(-1)?.number ?? 0]
  return useQuery({
    ...compareQuery(apiClient, { scanId, run: lastNumber }, firstNumber),
    enabled: firstNumber !== lastNumber,
  }).data
}
