import { useLingui } from '@lingui/react/macro'
import { isActiveStatus, type RunStats, type RunSummary } from '@clearway/contract/monitor/run/schema.ts'
import type { ScanSummary } from '@clearway/contract/monitor/scan/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, lazy, useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { splitPointChange, useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { ErrorCard } from '../../../kit/page/states.tsx'
import { scanScheduleQuery } from '../../schedule/queries.ts'
import { useSession } from '../../user/model.ts'
import { runStatsQuery, scanActivityQuery, visibleRunCount } from '../queries.ts'
import { ScoreBar } from '../parts/score-bar.tsx'
import { ScoreSoFar } from '../parts/score-so-far.tsx'
import { RunState } from '../parts/state.tsx'
import styles from './runs-card.module.css'

const RunListDialog = lazy(() => import('./list-dialog.tsx').then((module) => ({ default: module.RunListDialog })))

type CurrentRun = Pick<RunSummary, 'number' | 'status' | 'pages' | 'score'>

/** Latest runs of the scan, active ones first. Progress and score of the current run are those of the screen, which are read more often. */
export function RunsCard({ scan, currentRun }: { scan: ScanSummary; currentRun: CurrentRun }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const { formatDateTime, formatRecent } = useFormats()
  const [isListOpen, setIsListOpen] = useState(false)
  const schedulePlan = useQuery(scanScheduleQuery(apiClient, scan.id)).data
  const scanActivity = useQuery(scanActivityQuery(apiClient, scan.id))
  const trend = useQuery(runStatsQuery(apiClient, { scanId: scan.id, run: currentRun.number })).data?.trend ?? []
  if (scanActivity.isError)
    return (
      <ErrorCard
        title={t`The runs could not be loaded.`}
        error={scanActivity.error}
        onRetry={() => void scanActivity.refetch()}
      />
    )
  const { number: currentNumber, status, pages, score } = currentRun
  const latestRuns = scanActivity.data?.content.map(({ run }) =>
    run.number === currentNumber ? { ...run, status, pages, score } : run,
  )
  return (
    <section className={`${layout.card} ${layout.pad} ${styles.card}`} aria-labelledby="runs">
      <div className={layout.cardHead}>
        <h2 id="runs">{t`Runs`}</h2>
        <span className={`${layout.row} ${layout.end}`}>
          {schedulePlan === null && scan.rights.manage && (
            <Link
              className={layout.sm}
              to="/scans/$scanId/edit"
              params={{ scanId: scan.id }}
              search={{ step: 'schedule' }}
            >{t`Set a schedule`}</Link>
          )}
          {(scan.lastRun?.number ?? 0) > visibleRunCount && (
            <Button small onPress={() => setIsListOpen(true)}>{t`All runs…`}</Button>
          )}
        </span>
      </div>
      <ul className={styles.runs}>
        {latestRuns?.map((run) => (
          <li key={run.number}>
            <Link
              to="/scans/$scanId/$run"
              params={{ scanId: scan.id, run: run.number }}
              aria-current={run.number === currentNumber ? 'true' : undefined}
            >
              {t`Run ${run.number}`}
            </Link>
            <span className={layout.sm}>
              <RunState run={run} />
            </span>
            <span className={`${layout.sm} ${styles.score}`}>
              {isActiveStatus(run.status) ? (
                <ScoreSoFar run={run} />
              ) : run.score === null ? (
                <span className={layout.muted}>{t`No score`}</span>
              ) : (
                <>
                  <span className={layout.hidden}>{t`Score`} </span>
                  <ScoreBar score={run.score} />
                </>
              )}
              <ScoreChange trend={trend} runNumber={run.number} />
            </span>
            <span className={`${layout.muted} ${layout.sm} ${styles.date}`}>
              <time
                className={layout.moment}
                dateTime={run.endedAt ?? run.queuedAt}
                title={formatDateTime(run.endedAt ?? run.queuedAt)}
              >
                {formatRecent(run.endedAt ?? run.queuedAt)}
              </time>
            </span>
          </li>
        ))}
      </ul>
      {isListOpen && (
        <Suspense fallback={null}>
          <RunListDialog scanId={scan.id} currentRun={currentNumber} onClose={() => setIsListOpen(false)} />
        </Suspense>
      )}
    </section>
  )
}

/** Change of the score since the previous run with one; what decisions about issues changed is told apart. Nothing without a change. */
function ScoreChange({ trend, runNumber }: { trend: RunStats['trend']; runNumber: number }) {
  const { t } = useLingui()
  const { formatSigned } = useFormats()
  const run = trend.find(({ number }) => number === runNumber)
  const previousScore = trend.findLast(({ number, score }) => number < runNumber && score !== null)?.score
  if (!run || run.score === null || run.ruleSetChanged || previousScore == null) return null
  const { score, scoreByDecisions } = run
  const { bySite, byDecisions } = splitPointChange(score, {
    score: score - previousScore - scoreByDecisions,
    byDecisions: scoreByDecisions,
  })
  const signedDecidedPoints = formatSigned(byDecisions)
  return (
    <>
      {bySite !== 0 && (
        <span className={`${bySite > 0 ? layout.good : layout.bad} ${styles.change}`}>
          {formatSigned(bySite)}
          <span className={layout.hidden}> {t`since last run`}</span>
        </span>
      )}
      {byDecisions !== 0 && (
        <span className={`${layout.muted} ${styles.change}`}>{t`${signedDecidedPoints} from decisions`}</span>
      )}
    </>
  )
}
