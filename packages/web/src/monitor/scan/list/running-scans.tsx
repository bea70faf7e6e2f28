import { useLingui } from '@lingui/react/macro'
import type { ScanSummary } from '@clearway/contract/monitor/scan/schema.ts'
import { Link } from '@tanstack/react-router'
import { Button } from '../../../kit/control/button.tsx'
import layout from '../../../kit/page/layout.module.css'
import { useFormats } from '../../../kit/text/format.ts'
import { RunProgress } from '../../run/parts/progress.tsx'
import { RunState } from '../../run/parts/state.tsx'
import styles from './running-now.module.css'

type RunningScansProps = {
  scans: readonly ScanSummary[]
  /** Time of the last update while updates are paused; null otherwise. */
  pausedAt: number | null
  onCancel: (scan: ScanSummary) => void
}

export function RunningScans({ scans, pausedAt, onCancel }: RunningScansProps) {
  const { t } = useLingui()
  const { formatDateTime } = useFormats()
  const formattedTime = pausedAt === null ? '' : formatDateTime(new Date(pausedAt).toISOString())
  return (
    <section className={`${layout.card} ${styles.running}`} aria-labelledby="running-now">
      <h2 id="running-now">{t`Running now`}</h2>
      {pausedAt !== null && <p className={`${layout.sm} ${layout.muted}`}>{t`Paused. Last updated: ${formattedTime}.`}</p>}
      <ul>
        {scans.map((scan) => (
          <li key={scan.id}>
            <RunningRow scan={scan} onCancel={() => onCancel(scan)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function RunningRow({ scan, onCancel }: { scan: ScanSummary; onCancel: () => void }) {
  const { t } = useLingui()
  const activeRun = scan.lastRun
  if (!activeRun) return null
  const scanName = scan.name
  return (
    <div className={styles.row}>
      <span>
        <Link to="/scans/$scanId/$run" params={{ scanId: scan.id, run: activeRun.number }}>
          {scanName}
        </Link>{' '}
        <span className={layout.muted}>{t`run ${activeRun.number}`}</span>
      </span>
      {activeRun.status === 'queued' ? (
        <RunState run={activeRun} />
      ) : (
        <RunProgress run={activeRun} label={t`${scanName}, pages checked`} />
      )}
      {scan.rights.run && (
        <span className={layout.end}>
          <Button small label={t`Cancel run: ${scanName}`} onPress={onCancel}>{t`Cancel run`}</Button>
        </span>
      )}
    </div>
  )
}
