import { Plural } from '@lingui/react/macro'
import type { RunOverviewData } from '../queries.ts'

type CommonIssueCountsProps = { counts: NonNullable<RunOverviewData['commonIssues']> }

/** Issues inside common components: as lists, totals and exports count them, and once for each component. */
export function CommonIssueCounts({ counts: { onPages, once } }: CommonIssueCountsProps) {
  return (
    <>
      <Plural value={onPages} one="# on its page" other="# on all pages" />
      {', '}
      <Plural value={once} one="# once per component" other="# once per component" />
    </>
  )
}
