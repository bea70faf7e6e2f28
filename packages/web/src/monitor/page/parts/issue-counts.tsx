import { Plural } from '@lingui/react/macro'
import type { PageSummary } from '@clearway/contract/monitor/page/schema.ts'
import { UnknownValue } from '../../../kit/page/states.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import styles from './issue-counts.module.css'

const countedImpacts = ['critical', 'serious', 'moderate', 'minor'] as const

type PageIssueCountsProps = Pick<PageSummary, 'openIssues'> & {
  /** Health that is shown next to the counts: issues of its impact alone need no second sign. */
  health?: PageSummary['health']
}

/** The open issues of a page, by impact. */
export function PageIssueCounts({ openIssues, health }: PageIssueCountsProps) {
  const { formatNumber } = useFormats()
  const presentImpacts = countedImpacts.filter((impact) => openIssues[impact] > 0)
  if (presentImpacts.length === 0) return <UnknownValue label={formatNumber(0)} />
  const [worstImpact] = presentImpacts
  if (presentImpacts.length === 1 && worstImpact && worstImpact === health)
    return <Plural value={openIssues[worstImpact]} one="# issue" other="# issues" />
  return (
    <span className={styles.counts}>
      {presentImpacts.map((impact) => (
        <SignLabel key={impact} sign={impact}>
          {formatNumber(openIssues[impact])}
        </SignLabel>
      ))}
    </span>
  )
}
