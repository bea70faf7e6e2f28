import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Suspense, lazy, useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { FilterChips } from '../../../kit/page/chips.tsx'
import layout from '../../../kit/page/layout.module.css'
import { useFormats } from '../../../kit/text/format.ts'
import { Segmented } from '../../../kit/form/segmented.tsx'
import { useSession } from '../../user/model.ts'
import type { RollupSearch } from './model.ts'
import { rollupSpans } from './model.ts'
import { rollupChoicesQuery } from './queries.ts'
import styles from './rollup.module.css'

const ScopeDialog = lazy(() => import('./scope-dialog.tsx').then((module) => ({ default: module.ScopeDialog })))

type RollupScopeBarProps = {
  search: RollupSearch
  /** Timestamp of the data in milliseconds; 0 before it is loaded. */
  asOf: number
  onChange: (next: Partial<RollupSearch>) => void
}

export function RollupScopeBar({ search, asOf, onChange }: RollupScopeBarProps) {
  const { t } = useLingui()
  const [isOpen, setIsOpen] = useState(false)
  const scopeChips = useScopeChips({ search, onChange })
  const periodLabels = usePeriodLabels()
  return (
    <>
      <div role="search" aria-label={t`What the dashboard covers`} className={`${layout.bar} ${styles.screen}`}>
        <Segmented
          label={t`Time`}
          value={String(search.days)}
          onChange={(days) => onChange({ days: Number(days) as RollupSearch['days'] })}
          options={rollupSpans.map((days) => ({ value: String(days), label: periodLabels[days] }))}
        />
        <Button onPress={() => setIsOpen(true)}>{t`Choose scans and groups…`}</Button>
        <FilterChips chips={scopeChips} onClear={() => onChange({ scanId: [], groupId: [] })} />
      </div>
      <PrintedScope chips={scopeChips.map(({ label }) => label)} span={periodLabels[search.days]} asOf={asOf} />
      {isOpen && (
        <Suspense fallback={null}>
          <ScopeDialog
            initialScope={search}
            onClose={() => setIsOpen(false)}
            onApply={(next) => {
              setIsOpen(false)
              onChange(next)
            }}
          />
        </Suspense>
      )}
    </>
  )
}

function usePeriodLabels(): Record<RollupSearch['days'], string> {
  const { t } = useLingui()
  return { 30: t`30 days`, 90: t`90 days`, 180: t`6 months`, 365: t`1 year` }
}

function useScopeChips({ search, onChange }: Omit<RollupScopeBarProps, 'asOf'>) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const { data: scopeChoices } = useQuery(rollupChoicesQuery(apiClient))
  const { scanId, groupId } = search
  const findName = (items: readonly { id: string; name: string }[] | undefined, id: string) =>
    items?.find((candidate) => candidate.id === id)?.name ?? '…'
  return [
    ...groupId.map((id) => ({
      key: id,
      label: t`Group: ${findName(scopeChoices?.groups, id)}`,
      onRemove: () => onChange({ groupId: groupId.filter((candidate) => candidate !== id) }),
    })),
    ...scanId.map((id) => ({
      key: id,
      label: t`Scan: ${findName(scopeChoices?.scans, id)}`,
      onRemove: () => onChange({ scanId: scanId.filter((candidate) => candidate !== id) }),
    })),
  ]
}

/** Heading of the printed report, which has no controls. */
function PrintedScope({ chips, span: periodLabel, asOf }: { chips: readonly string[]; span: string; asOf: number }) {
  const { t } = useLingui()
  const { formatDate } = useFormats()
  return (
    <div className={styles.paper}>
      <h1>{t`Accessibility report`}</h1>
      <p>
        {chips.length === 0 ? t`All scans` : chips.join(' · ')} · {t`Time`}: {periodLabel}
      </p>
      {asOf > 0 && <p>{t`As of ${formatDate(new Date(asOf).toISOString())}`}</p>}
    </div>
  )
}
