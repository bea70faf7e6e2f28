import { useLingui } from '@lingui/react/macro'
import type { ScanSummary } from '@clearway/contract/monitor/scan/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, lazy, useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { toScorePoints, useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { ErrorCard } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import { scanActivityQuery, shownRuns } from '../queries.ts'
import { RunState } from '../parts/state.tsx'
import styles from './runs-card.module.css'

const RunListDialog = lazy(() => import('./list-dialog.tsx').then((m) => ({ default: m.RunListDialog })))

/** The last runs of the scan, those that go on first. */
export function RunsCard({ scan, shown }: { scan: ScanSummary; shown: number }) {
  const { t } = useLingui()
  const { api } = useSession()
  const { formatDateTime: dateTime } = useFormats()
  const [all, setAll] = useState(false)
  const activity = useQuery(scanActivityQuery(api, scan.id))
  if (activity.isError)
    return (
      <ErrorCard
        title={t`The runs could not be loaded.`}
        error={activity.error}
        onRetry={() => void activity.refetch()}
      />
    )
  return (
    <section className={`${layout.card} ${layout.pad}`} aria-labelledby="runs">
      <div className={layout.cardHead}>
        <h2 id="runs">{t`Runs`}</h2>
        {(scan.lastRun?.number ?? 0) > shownRuns && (
          <span className={layout.end}>
            <Button small onPress={() => setAll(true)}>{t`All runs…`}</Button>
          </span>
        )}
      </div>
      <ul className={styles.runs}>
        {activity.data?.content.map(({ run }) => (
          <li key={run.number}>
            <Link
              to="/scans/$scanId/$run"
              params={{ scanId: scan.id, run: run.number }}
              aria-current={run.number === shown ? 'true' : undefined}
            >
              {t`Run ${run.number}`}
            </Link>
            <span className={layout.sm}>
              <RunState run={run} />
            </span>
            <span className={`${layout.sm} ${layout.num}`}>
              {run.score === null ? t`No score yet` : t`Score ${toScorePoints(run.score)}`}
            </span>
            <span className={`${layout.muted} ${layout.sm}`}>{dateTime(run.endedAt ?? run.queuedAt)}</span>
          </li>
        ))}
      </ul>
      {all && (
        <Suspense fallback={null}>
          <RunListDialog scanId={scan.id} shown={shown} onClose={() => setAll(false)} />
        </Suspense>
      )}
    </section>
  )
}
