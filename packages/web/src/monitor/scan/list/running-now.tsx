import { useLingui } from '@lingui/react/macro'
import type { ScanSummary } from '@clearway/contract/monitor/scan/schema.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useIsUserActive, useOnReturn } from '../../../kit/client/use-user-activity.ts'
import { Button } from '../../../kit/control/button.tsx'
import layout from '../../../kit/page/layout.module.css'
import { useFormats } from '../../../kit/text/format.ts'
import { RunProgress } from '../../run/parts/progress.tsx'
import { RunState } from '../../run/parts/state.tsx'
import { useSession } from '../../user/model.ts'
import { runningScansQuery } from '../queries.ts'
import styles from './running-now.module.css'

/** Active runs. The list below is refetched when one ends. */
export function RunningNow({ onCancel }: { onCancel: (scan: ScanSummary) => void }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const queryClient = useQueryClient()
  const { formatDateTime } = useFormats()
  const isUserActive = useIsUserActive()
  const { data: runningScans, dataUpdatedAt, refetch: refetchRunning } = useQuery(runningScansQuery(apiClient, isUserActive))
  useOnReturn(isUserActive, refetchRunning)
  const formattedTime = formatDateTime(new Date(dataUpdatedAt).toISOString())
  const runningIds = runningScans?.content.map((scan) => scan.id).join()
  const previousIdsRef = useRef(runningIds)
  useEffect(() => {
    if (previousIdsRef.current !== undefined && previousIdsRef.current !== runningIds)
      void queryClient.invalidateQueries({ queryKey: ['scans', 'list'] })
    previousIdsRef.current = runningIds
  }, [runningIds, queryClient])
  if (!runningScans?.content.length) return null
  return (
    <section className={`${layout.card} ${styles.running}`} aria-labelledby="running-now">
      <h2 id="running-now">{t`Running now`}</h2>
      {!isUserActive && <p className={`${layout.sm} ${layout.muted}`}>{t`Paused. Last updated: ${formattedTime}.`}</p>}
      <ul>
        {runningScans.content.map((scan) => (
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
