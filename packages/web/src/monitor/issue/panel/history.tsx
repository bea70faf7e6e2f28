import { useLingui } from '@lingui/react/macro'
import type { IssueDetail } from '@clearway/contract/monitor/issue/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { DetailPart } from '../../../kit/page/detail-panel.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { ErrorCard } from '../../../kit/page/states.tsx'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import { useSession } from '../../user/model.ts'
import { issueHistoryQuery } from '../queries.ts'
import styles from './history.module.css'
import { changeLabels } from './labels.ts'

/** Result of each run for an issue, newest first. */
export function IssueHistory({ issue }: { issue: IssueDetail }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const { formatDateTime } = useFormats()
  const { firstSeenRun, firstSeenAt } = issue
  const formattedFirstSeen = formatDateTime(firstSeenAt)
  const issueHistory = useQuery(issueHistoryQuery(apiClient, issue.id))
  return (
    <DetailPart title={t`History`}>
      <p className={layout.sm}>{t`First seen in run ${firstSeenRun}, ${formattedFirstSeen}`}</p>
      {issueHistory.isError && (
        <ErrorCard
          title={t`The history could not be loaded.`}
          error={issueHistory.error}
          onRetry={() => void issueHistory.refetch()}
        />
      )}
      {issueHistory.data && (
        <ol className={styles.runs} reversed>
          {issueHistory.data.content.map(({ runNumber, endedAt, change, severity }) => (
            <li key={runNumber} aria-current={runNumber === issue.runNumber || undefined}>
              <Link to="/scans/$scanId/$run" params={{ scanId: issue.scanId, run: runNumber }}>
                {t`Run ${runNumber}`}
              </Link>
              <span>
                {t(changeLabels[change])}
                {endedAt && <span className={layout.muted}> {formatDateTime(endedAt)}</span>}
              </span>
              <SignLabel sign={severity} />
            </li>
          ))}
        </ol>
      )}
    </DetailPart>
  )
}
