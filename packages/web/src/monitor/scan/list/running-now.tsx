import { useLingui } from '@lingui/react/macro'
import type { ScanSummary } from '@clearway/contract/monitor/scan/schema.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useIsUserActive, useOnReturn } from '../../../kit/client/use-attended.ts'
import { Button } from '../../../kit/control/button.tsx'
import layout from '../../../kit/page/layout.module.css'
import { useFormats } from '../../../kit/text/format.ts'
import { RunProgress } from '../../run/parts/progress.tsx'
import { RunState } from '../../run/parts/state.tsx'
import { useSession } from '../../user/model.ts'
import { runningScansQuery } from '../queries.ts'
import styles from './running-now.module.css'

/** The runs that go on now. When one ends the list below is fetched anew. */
export function RunningNow({ onCancel }: { onCancel: (scan: ScanSummary) => void }) {
  const { t } = useLingui()
  const { api } = useSession()
  const client = useQueryClient()
  const { formatDateTime: dateTime } = useFormats()
  const attended = useIsUserActive()
  const { data, dataUpdatedAt, refetch } = useQuery(runningScansQuery(api, attended))
  useOnReturn(attended, refetch)
  const time = dateTime(new Date(dataUpdatedAt).toISOString())
  const ids = data?.content.map((scan) => scan.id).join()
  const before = useRef(ids)
  useEffect(() => {
    if (before.current !== undefined && before.current !== ids)
      void client.invalidateQueries({ queryKey: ['scans', 'list'] })
    before.current = ids
  }, [ids, client])
  if (!data?.content.length) return null
  return (
    <section className={`${layout.card} ${styles.running}`} aria-labelledby="running-now">
      <h2 id="running-now">{t`Running now`}</h2>
      {!attended && <p className={`${layout.sm} ${layout.muted}`}>{t`Paused. Last updated: ${time}.`}</p>}
      <ul>
        {data.content.map((scan) => (
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
  const run = scan.lastRun
  if (!run) return null
  const name = scan.name
  return (
    <div className={styles.row}>
      <span>
        <Link to="/scans/$scanId/$run" params={{ scanId: scan.id, run: run.number }}>
          {name}
        </Link>{' '}
        <span className={layout.muted}>{t`run ${run.number}`}</span>
      </span>
      {run.status === 'queued' ? (
        <RunState run={run} />
      ) : (
        <RunProgress run={run} label={t`${name}, pages checked`} />
      )}
      {scan.rights.run && (
        <span className={layout.end}>
          <Button small label={t`Cancel run: ${name}`} onPress={onCancel}>{t`Cancel run`}</Button>
        </span>
      )}
    </div>
  )
}
