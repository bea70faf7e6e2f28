import type { PageSummary } from '@clearway/contract/monitor/page/schema.ts'
import { Count } from '../../../kit/text/count.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import styles from './issue-counts.module.css'

const countedImpacts = ['critical', 'serious', 'moderate', 'minor'] as const

/** The open issues of a page, by impact. */
export function PageIssueCounts({ openIssues }: Pick<PageSummary, 'openIssues'>) {
  const { formatNumber } = useFormats()
  const presentImpacts = countedImpacts.filter((impact) => openIssues[impact] > 0)
  if (presentImpacts.length === 0) return <Count value={0} />
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
