import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { IssueDetail, IssueMoment } from '@clearway/contract/monitor/issue/schema.ts'
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
import { changeLabels } from './value-labels.ts'
import { foldHistory, type HistoryInterval } from './model-history.ts'

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
      {issueHistory.data && <HistoryList intervals={foldHistory(issueHistory.data.content)} issue={issue} />}
    </DetailPart>
  )
}

/** Number of intervals that are shown without a request. */
const maxOpenIntervals = 6

function HistoryList({ intervals, issue }: { intervals: readonly HistoryInterval[]; issue: IssueDetail }) {
  const { t } = useLingui()
  const renderRows = (rows: readonly HistoryInterval[]) => (
    <ol className={styles.runs} reversed>
      {rows.map((interval) => (
        <HistoryRow key={interval.moments[0].runNumber} interval={interval} issue={issue} />
      ))}
    </ol>
  )
  const earlierIntervals = intervals.slice(maxOpenIntervals)
  return (
    <>
      {renderRows(intervals.slice(0, maxOpenIntervals))}
      {earlierIntervals.length > 0 && (
        <details className={styles.earlier}>
          <summary>{t`Earlier runs`}</summary>
          {renderRows(earlierIntervals)}
        </details>
      )}
    </>
  )
}

/** Intervals of at least this number of runs are folded. */
const minFoldedRuns = 3

function HistoryRow({ interval, issue }: { interval: HistoryInterval; issue: IssueDetail }) {
  const { t } = useLingui()
  const { formatDate } = useFormats()
  const { moments, change, severity } = interval
  const renderMoment = ({ runNumber, endedAt }: IssueMoment) => (
    <li key={runNumber} aria-current={runNumber === issue.runNumber || undefined}>
      <RunLink issue={issue} runNumber={runNumber} />
      <span>
        {t(changeLabels[change])}
        {endedAt && <span className={layout.muted}> {formatDate(endedAt)}</span>}
      </span>
      {severity !== issue.severity && <SignLabel sign={severity} />}
    </li>
  )
  if (moments.length < minFoldedRuns) return <>{moments.map(renderMoment)}</>
  const oldestMoment = moments.at(-1)!
  const formattedStart = oldestMoment.endedAt && formatDate(oldestMoment.endedAt)
  const runCount = moments.length
  return (
    <li aria-current={moments.some(({ runNumber }) => runNumber === issue.runNumber) || undefined}>
      <RunLink issue={issue} runNumber={moments[0].runNumber} />
      <details>
        <summary>
          {t(changeLabels[change])}{' '}
          <span className={layout.muted}>
            {formattedStart
              ? t`in ${plural(runCount, { one: '# run', other: '# runs' })} since ${formattedStart}`
              : t`in ${plural(runCount, { one: '# run', other: '# runs' })}`}
          </span>
        </summary>
        <ul className={styles.folded}>
          {moments.map(({ runNumber, endedAt }) => (
            <li key={runNumber}>
              <RunLink issue={issue} runNumber={runNumber} />
              {endedAt && <span className={layout.muted}> {formatDate(endedAt)}</span>}
            </li>
          ))}
        </ul>
      </details>
      {severity !== issue.severity && <SignLabel sign={severity} />}
    </li>
  )
}

function RunLink({ issue, runNumber }: { issue: IssueDetail; runNumber: number }) {
  const { t } = useLingui()
  return (
    <Link to="/scans/$scanId/$run" params={{ scanId: issue.scanId, run: runNumber }}>
      {t`Run ${runNumber}`}
    </Link>
  )
}
