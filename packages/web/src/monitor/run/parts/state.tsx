import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { RunStatus, RunSummary } from '@clearway/contract/monitor/run/schema.ts'
import type * as z from 'zod/mini'
import type { IconName } from '../../../kit/control/icon.tsx'
import { Icon } from '../../../kit/control/icon.tsx'
import styles from './state.module.css'

type Run = Pick<z.output<typeof RunSummary>, 'status' | 'partial'>

const running = { word: msg`Running`, icon: null, look: 'running' } as const
const states = {
  initial: running,
  queued: { word: msg`Waiting to start`, icon: null, look: 'running' },
  starting: running,
  running,
  retrying: running,
  failed: { word: msg`Failed`, icon: 'stopSign', look: 'failed' },
  completed: { word: msg`Completed`, icon: 'check', look: 'completed' },
  cancelled: { word: msg`Canceled`, icon: 'close', look: 'muted' },
  archived: { word: msg`Archived`, icon: 'check', look: 'muted' },
} as const satisfies Record<RunStatus, { icon: IconName | null; word: unknown; look: string }>
const partial = { word: msg`Completed in part`, icon: 'warning', look: 'partial' } as const

/** State of a run: sign and word. */
export function RunState({ run }: { run: Run }) {
  const { t } = useLingui()
  const { word, icon, look } = run.partial && run.status === 'completed' ? partial : states[run.status]
  return (
    <span className={`${styles.state} ${styles[look]}`}>
      {icon ? <Icon name={icon} /> : <span className={styles.dot} />}
      {t(word)}
    </span>
  )
}
