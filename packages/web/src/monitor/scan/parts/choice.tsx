import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import field from '../../../kit/form/field.module.css'
import layout from '../../../kit/page/layout.module.css'
import { useSession } from '../../user/model.ts'
import { scanNamesQuery } from '../queries.ts'
import styles from './choice.module.css'

type ScanChoiceProps = { chosenScanIds: readonly ScanId[]; runNumber: number | undefined; onChange: (scans: ScanId[]) => void }

export function ScanChoice({ chosenScanIds, runNumber, onChange }: ScanChoiceProps) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const { data: scanNames } = useQuery(scanNamesQuery(apiClient))
  const controlId = useId()
  const hasSeveral = chosenScanIds.length > 1
  return (
    <span className={styles.choice}>
      <label htmlFor={controlId}>{t`Scan`}</label>
      <select
        id={controlId}
        className={field.control}
        value={hasSeveral ? 'several' : (chosenScanIds[0] ?? '')}
        onChange={({ target }) => onChange(target.value === '' ? [] : [target.value as ScanId])}
      >
        <option value="">{t`All scans`}</option>
        {hasSeveral && <option value="several">{t`${chosenScanIds.length} scans`}</option>}
        {scanNames?.map((scan) => (
          <option key={scan.id} value={scan.id}>
            {scan.name}
          </option>
        ))}
      </select>
      {runNumber !== undefined && <span className={`${layout.muted} ${layout.nowrap}`}>{t`run ${runNumber}`}</span>}
    </span>
  )
}
