import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import field from '../../../kit/form/field.module.css'
import layout from '../../../kit/page/layout.module.css'
import { useSession } from '../../user/model.ts'
import { scanNamesQuery } from '../queries.ts'
import styles from './choice.module.css'

type Props = {
  chosen: readonly ScanId[]
  run: number | undefined
  onChange: (scans: ScanId[]) => void
}

/** Which scan a list looks at: one, or the newest results of all. */
export function ScanChoice({ chosen, run, onChange }: Props) {
  const { t } = useLingui()
  const { api } = useSession()
  const { data } = useQuery(scanNamesQuery(api))
  const id = useId()
  const several = chosen.length > 1
  return (
    <span className={styles.choice}>
      <label htmlFor={id}>{t`Scan`}</label>
      <select
        id={id}
        className={field.control}
        value={several ? 'several' : (chosen[0] ?? '')}
        onChange={({ target }) => onChange(target.value === '' ? [] : [target.value as ScanId])}
      >
        <option value="">{t`All scans`}</option>
        {several && <option value="several">{t`${chosen.length} scans`}</option>}
        {data?.map((scan) => (
          <option key={scan.id} value={scan.id}>
            {scan.name}
          </option>
        ))}
      </select>
      <span className={`${layout.muted} ${layout.nowrap}`}>
        {run === undefined ? t`latest run` : t`run ${run}`}
      </span>
    </span>
  )
}
