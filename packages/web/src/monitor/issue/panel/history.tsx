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
import { changeWords } from '../parts/words.ts'

/** What each run saw of an issue, newest first. */
export function IssueHistory({ issue }: { issue: IssueDetail }) {
  const { t } = useLingui()
  const { api } = useSession()
  const { formatDateTime: dateTime } = useFormats()
  const { firstSeenRun, firstSeenAt } = issue
  const firstAt = dateTime(firstSeenAt)
  const history = useQuery(issueHistoryQuery(api, issue.id))
  return (
    <DetailPart title={t`History`}>
      <p className={layout.sm}>{t`First seen in run ${firstSeenRun}, ${firstAt}`}</p>
      {history.isError && (
        <ErrorCard
          title={t`The history could not be loaded.`}
          error={history.error}
          onRetry={() => void history.refetch()}
        />
      )}
      {history.data && (
        <ol className={styles.runs} reversed>
          {history.data.content.map(({ runNumber, endedAt, change, severity }) => (
            <li key={runNumber} aria-current={runNumber === issue.runNumber || undefined}>
              <Link to="/scans/$scanId/$run" params={{ scanId: issue.scanId, run: runNumber }}>
                {t`Run ${runNumber}`}
              </Link>
              <span>
                {t(changeWords[change])}
                {endedAt && <span className={layout.muted}> {dateTime(endedAt)}</span>}
              </span>
              <SignLabel sign={severity} />
            </li>
          ))}
        </ol>
      )}
    </DetailPart>
  )
}
