import { useLingui } from '@lingui/react/macro'
import { getButtonClass } from '../../../kit/control/button.tsx'
import layout from '../../../kit/page/layout.module.css'
import { EmptyState } from '../../../kit/page/states.tsx'
import type { ScanSearch } from '../model.ts'

type EmptyScanListProps = { search: ScanSearch; onChange: (next: Partial<ScanSearch>) => void }

/** Stands for the list if its filters match nothing, and removes them. */
export function EmptyScanList({ search, onChange }: EmptyScanListProps) {
  const { t } = useLingui()
  return (
    <div className={layout.card}>
      <EmptyState
        title={t`No scan matches`}
        action={
          <>
            {search.q && (
              <button type="button" className={getButtonClass()} onClick={() => onChange({ q: '' })}>
                {t`Remove the search “${search.q}”`}
              </button>
            )}
            {search.tag && (
              <button type="button" className={getButtonClass()} onClick={() => onChange({ tag: '' })}>
                {t`Scans with any tag`}
              </button>
            )}
            {search.show !== 'all' && (
              <button type="button" className={getButtonClass()} onClick={() => onChange({ show: 'all' })}>
                {t`Show all scans`}
              </button>
            )}
          </>
        }
      >
        <p>{t`No scans match these filters.`}</p>
      </EmptyState>
    </div>
  )
}
