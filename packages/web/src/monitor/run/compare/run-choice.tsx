import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { ScanSummary } from '@clearway/contract/monitor/scan/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Field } from '../../../kit/form/field.tsx'
import { Select } from '../../../kit/form/select.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { useSession } from '../../user/model.ts'
import { runListQuery } from '../queries.ts'
import styles from './run-choice.module.css'

/** Choice of the two runs to compare. */
export function RunPairChoice({ scan, scanId, run, other }: { scan: ScanSummary; scanId: ScanId; run: number; other: number }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const { formatDate } = useFormats()
  const navigateTo = useNavigate()
  const recentRuns = useQuery(runListQuery(apiClient, scan.id)).data?.content ?? []
  const openComparison = (runPair: { run: number; other: number }) =>
    void navigateTo({
      to: '/scans/$scanId/$run/compare/$other',
      params: { scanId, run: runPair.run, other: runPair.other },
      replace: true,
    })
  const renderRunSelect = (label: string, value: number, onChange: (runNumber: number) => void) => (
    <Field label={label}>
      {(control) => (
        <Select
          {...control}
          value={value}
          onChange={onChange}
          options={[
            ...(recentRuns.some(({ number }) => number === value) ? [] : [[value, t`Run ${value}`] as const]),
            ...recentRuns.map(({ number, queuedAt }) => [number, `${t`Run ${number}`}, ${formatDate(queuedAt)}`] as const),
          ]}
        />
      )}
    </Field>
  )
  return (
    <div className={styles.choice}>
      {renderRunSelect(t`This run`, run, (chosen) => openComparison({ run: chosen, other }))}
      {renderRunSelect(t`Against`, other, (chosen) => openComparison({ run, other: chosen }))}
    </div>
  )
}
