import { Plural } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { runOverviewQuery } from '../../run/queries.ts'
import { useSession } from '../../user/model.ts'

/** Link to pages that the previous run tested and this run did not; available while the previous run's pages are kept. */
export function GonePages({ scanId, run }: { scanId: ScanId; run: number }) {
  const { api: apiClient } = useSession()
  const { data: runOverview } = useQuery(runOverviewQuery(apiClient, { scanId, run }, false))
  const runChange = runOverview?.change
  if (!runChange) return null
  // Pages beyond the page limit may still exist, but were not tested either.
  const goneCount = runChange.pagesGone + runChange.pagesNotTested
  if (goneCount === 0) return null
  const previousRunNumber = runChange.previousNumber
  return (
    <Link to="/scans/$scanId/$run/compare/$other" params={{ scanId, run, other: previousRunNumber }}>
      <Plural
        value={goneCount}
        one={`# page of run ${previousRunNumber} was not tested in run ${run}`}
        other={`# pages of run ${previousRunNumber} were not tested in run ${run}`}
      />
    </Link>
  )
}
