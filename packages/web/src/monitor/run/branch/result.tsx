import { useLingui } from '@lingui/react/macro'
import type { BranchResult } from '@clearway/contract/monitor/run/branch/schema.ts'
import { Icon } from '../../../kit/control/icon.tsx'
import { branchResultSigns } from '../model-branch.ts'
import styles from '../parts/state.module.css'

export function BranchResultSign({ result }: { result: BranchResult }) {
  const { t } = useLingui()
  const { word, icon, look } = branchResultSigns[result]
  return (
    <span className={`${styles.state} ${styles[look]}`}>
      <Icon name={icon} />
      {t(word)}
    </span>
  )
}
