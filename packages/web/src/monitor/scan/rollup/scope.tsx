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

const ScopeDialog = lazy(() => import('./scope-dialog.tsx').then((m) => ({ default: m.ScopeDialog })))

type Props = {
  search: RollupSearch
  /** When the figures came, as a timestamp; 0 when there are none yet. */
  asOf: number
  onChange: (next: Partial<RollupSearch>) => void
}

/** Which scans and groups the board is about, and how far back its trend reaches. */
export function RollupScopeBar({ search, asOf, onChange }: Props) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  const chips = useChips({ search, onChange })
  const words = useSpanWords()
  return (
    <>
      <div
        role="search"
        aria-label={t`What the dashboard covers`}
        className={`${layout.bar} ${styles.screen}`}
      >
        <Segmented
          label={t`Time`}
          value={String(search.days)}
          onChange={(days) => onChange({ days: Number(days) as RollupSearch['days'] })}
          options={rollupSpans.map((days) => ({ value: String(days), label: words[days] }))}
        />
        <Button onPress={() => setOpen(true)}>{t`Choose scans and groups…`}</Button>
        <FilterChips chips={chips} onClear={() => onChange({ scanId: [], groupId: [] })} />
      </div>
      <PrintedScope chips={chips.map(({ label }) => label)} span={words[search.days]} asOf={asOf} />
      {open && (
        <Suspense fallback={null}>
          <ScopeDialog
            chosen={search}
            onClose={() => setOpen(false)}
            onApply={(next) => {
              setOpen(false)
              onChange(next)
            }}
          />
        </Suspense>
      )}
    </>
  )
}

function useSpanWords(): Record<RollupSearch['days'], string> {
  const { t } = useLingui()
  return { 30: t`30 days`, 90: t`90 days`, 180: t`6 months`, 365: t`1 year` }
}

function useChips({ search, onChange }: Omit<Props, 'asOf'>) {
  const { t } = useLingui()
  const { api } = useSession()
  const { data } = useQuery(rollupChoicesQuery(api))
  const { scanId, groupId } = search
  const nameOf = (items: readonly { id: string; name: string }[] | undefined, id: string) =>
    items?.find((one) => one.id === id)?.name ?? '…'
  return [
    ...groupId.map((id) => ({
      key: id,
      label: t`Group: ${nameOf(data?.groups, id)}`,
      onRemove: () => onChange({ groupId: groupId.filter((one) => one !== id) }),
    })),
    ...scanId.map((id) => ({
      key: id,
      label: t`Scan: ${nameOf(data?.scans, id)}`,
      onRemove: () => onChange({ scanId: scanId.filter((one) => one !== id) }),
    })),
  ]
}

/** The head of the report on paper, where there is nothing to choose. */
function PrintedScope({ chips, span, asOf }: { chips: readonly string[]; span: string; asOf: number }) {
  const { t } = useLingui()
  const { formatDate: date } = useFormats()
  return (
    <div className={styles.paper}>
      <h1>{t`Accessibility report`}</h1>
      <p>
        {chips.length === 0 ? t`All scans` : chips.join(' · ')} · {t`Time`}: {span}
      </p>
      {asOf > 0 && <p>{t`As of ${date(new Date(asOf).toISOString())}`}</p>}
    </div>
  )
}
