import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { RunStatus, RunSummary } from '@clearway/contract/monitor/run/schema.ts'
import type * as z from 'zod/mini'
import { type IconName, Icon } from '../../../kit/control/icon.tsx'
import styles from './state.module.css'

type RunWithState = Pick<z.output<typeof RunSummary>, 'status' | 'partial'>

const runningSign = { word: msg`Running`, icon: null, look: 'running' } as const
const stateSigns = {
  initial: runningSign,
  queued: { word: msg`Waiting to start`, icon: null, look: 'running' },
  starting: runningSign,
  running: runningSign,
  retrying: runningSign,
  failed: { word: msg`Failed`, icon: 'stopSign', look: 'failed' },
  completed: { word: msg`Completed`, icon: 'check', look: 'completed' },
  cancelled: { word: msg`Canceled`, icon: 'close', look: 'muted' },
  archived: { word: msg`Archived`, icon: 'check', look: 'muted' },
} as const satisfies Record<RunStatus, { icon: IconName | null; word: unknown; look: string }>
const partialSign = { word: msg`Completed in part`, icon: 'warning', look: 'partial' } as const

export function RunState({ run }: { run: RunWithState }) {
  const { t } = useLingui()
  const {
    word: stateWord,
    icon: stateIcon,
    look: stateLook,
  } = run.partial && run.status === 'completed' ? partialSign : stateSigns[run.status]
  return (
    <span className={`${styles.state} ${styles[stateLook]}`}>
      {stateIcon ? <Icon name={stateIcon} /> : <span className={styles.dot} />}
      {t(stateWord)}
    </span>
  )
}
