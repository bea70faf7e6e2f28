import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import field from '../../../kit/form/field.module.css'
import layout from '../../../kit/page/layout.module.css'
import { useSession } from '../../user/model.ts'
import { scanNamesQuery } from '../queries.ts'
import styles from './choice.module.css'

type ScanChoiceProps = {
  chosenScanIds: readonly ScanId[]
  runNumber: number | undefined
  onChange: (scans: ScanId[]) => void
  /** Opens the choice of several scans, or of a run. */
  onMore: () => void
}

/** Hidden from guests, who see one scan. */
export function ScanChoice({ chosenScanIds, runNumber, onChange, onMore }: ScanChoiceProps) {
  const { t } = useLingui()
  const { api: apiClient, permissions } = useSession()
  const { data: scanNames } = useQuery(scanNamesQuery(apiClient))
  const controlId = useId()
  const hasSeveral = chosenScanIds.length > 1
  if (permissions.isGuest) return null
  return (
    <span className={styles.choice}>
      <label htmlFor={controlId}>{t`Scan`}</label>
      <span className={styles.pair}>
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
        <Button small square icon="more" label={t`Scans and runs…`} onPress={onMore} />
      </span>
      {runNumber !== undefined && <span className={`${layout.muted} ${layout.nowrap}`}>{t`run ${runNumber}`}</span>}
    </span>
  )
}
