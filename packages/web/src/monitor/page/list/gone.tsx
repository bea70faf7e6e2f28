import { Plural } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { runOverviewQuery } from '../../run/queries.ts'
import { useSession } from '../../user/model.ts'

/**
 * The way to the pages that the run before tested and this one did not: no row of the list is theirs. Only while that run has its
 * pages, as the `change` of each row says.
 */
export function GonePages({ scanId, run }: { scanId: ScanId; run: number }) {
  const { api } = useSession()
  const { data } = useQuery(runOverviewQuery(api, { scanId, run }, false))
  const change = data?.change
  if (!change || change.pagesGone === 0) return null
  const { previousNumber: before, pagesGone: gone } = change
  return (
    <Link to="/scans/$scanId/$run/compare/$other" params={{ scanId, run, other: before }}>
      <Plural
        value={gone}
        one={`# page of run ${before} was not tested in run ${run}`}
        other={`# pages of run ${before} were not tested in run ${run}`}
      />
    </Link>
  )
}
