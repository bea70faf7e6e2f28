import { useLingui } from '@lingui/react/macro'
import { type Health, type PageTab, ExclusionReason, FailureReason, PageSource } from '@clearway/contract/monitor/page/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, lazy, useState } from 'react'
import { FilterChips } from '../../../kit/page/chips.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { FilterChoice } from '../../../kit/list/filter-choice.tsx'
import { Filters } from '../../../kit/list/filters.tsx'
import { SearchField } from '../../../kit/list/search-field.tsx'
import { Segmented } from '../../../kit/form/segmented.tsx'
import { Toggles } from '../../../kit/form/toggles.tsx'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import { ScanChoice } from '../../scan/parts/choice.tsx'
import { useSession } from '../../user/model.ts'
import { exclusionTexts, failureTexts, getReasonText } from '../parts/reason-text.ts'
import { sourceLabels } from '../parts/source-labels.ts'
import { type PageSearch, pageTabs } from '../model.ts'
import { pageCountQuery } from '../queries.ts'

const healthOptions: readonly Health[] = ['critical', 'serious', 'moderate', 'good']

const RunFilterDialog = lazy(() =>
  import('../../run/parts/filter-dialog.tsx').then((module) => ({ default: module.RunFilterDialog })),
)

type PageFiltersProps = {
  search: PageSearch
  onChange: (next: Partial<PageSearch>) => void
  views: ReactNode
}

/** The tree has no tabs. */
const treeFilters: Partial<PageSearch> = { tab: 'completed', sort: 'health,asc', health: [], failure: [], exclusion: [] }

const countActiveFilters = ({ health, failure, exclusion, source, q }: PageSearch): number =>
  [health, failure, exclusion, source, q].filter(({ length }) => length > 0).length

function SourceChoice({ search, onChange }: Omit<PageFiltersProps, 'views'>) {
  const { t } = useLingui()
  return (
    <FilterChoice
      label={t`Source`}
      value={search.source[0] ?? ''}
      options={PageSource.options.map((source) => [source, t(sourceLabels[source])])}
      onChange={(source) => onChange({ source: source === '' ? [] : [source as PageSource] })}
    />
  )
}

/** Tabs of the list, and the filters of each. The tree shows the URLs of all tabs. */
function StatusFilters({ search, onChange }: Omit<PageFiltersProps, 'views'>) {
  const { t } = useLingui()
  const tabLabels: Record<PageTab, string> = {
    completed: t`Tested`,
    failed: t`Failed`,
    excluded: t`Not tested`,
  }
  const reasonOptions = search.tab === 'excluded' ? ExclusionReason.options : FailureReason.options
  return (
    <>
      <Segmented
        label={t`Show`}
        value={search.tab}
        onChange={(tab) => onChange({ tab, sort: tab === 'completed' ? 'health,asc' : 'url,asc' })}
        options={(Object.keys(pageTabs) as PageTab[]).map((tab) => ({
          value: tab,
          label: (
            <>
              {tabLabels[tab]} <TabCount search={search} tab={tab} />
            </>
          ),
        }))}
      />
      {search.tab === 'completed' ? (
        <Toggles
          label={t`Health`}
          value={search.health}
          onChange={(health) => onChange({ health })}
          options={healthOptions.map((health) => ({ value: health, label: <HealthLabel search={search} health={health} /> }))}
        />
      ) : (
        <FilterChoice
          label={t`Reason`}
          value=""
          options={reasonOptions.map((reason) => [reason, t(getReasonText(reason))])}
          onChange={(reason) =>
            onChange(
              search.tab === 'excluded'
                ? { exclusion: [...search.exclusion, reason as (typeof search.exclusion)[number]] }
                : { failure: [...search.failure, reason as (typeof search.failure)[number]] },
            )
          }
        />
      )}
    </>
  )
}

export function PageFilters({ search, onChange, views }: PageFiltersProps) {
  const { t } = useLingui()
  const clearedFilters = { failure: [], exclusion: [], source: [], health: [], q: '' }
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Filters
      label={t`Pages`}
      activeCount={countActiveFilters(search)}
      pinnedControls={views}
      firstLine={
        <>
          <ScanChoice
            chosenScanIds={search.scanId}
            runNumber={search.run}
            onChange={(scanId) => onChange({ scanId, run: undefined })}
            onMore={() => setIsOpen(true)}
          />
          <SearchField label={t`Find a page`} placeholder={t`Title or URL`} value={search.q} onSearch={(q) => onChange({ q })} />
          <SourceChoice search={search} onChange={onChange} />
        </>
      }
    >
      <div className={layout.bar}>
        {search.by === '' && <StatusFilters search={search} onChange={onChange} />}
        <span className={layout.end}>
          <Segmented
            label={t`Arrangement`}
            value={search.by}
            onChange={(by) => onChange(by === '' ? { by } : { ...treeFilters, by })}
            options={[
              { value: '', label: t`List` },
              { value: 'folder', label: t`By folder` },
            ]}
          />
        </span>
        {search.by === '' && (
          <FilterChips
            chips={[
              ...search.failure.map((reason) => ({
                key: reason,
                label: t(failureTexts[reason].what),
                onRemove: () => onChange({ failure: search.failure.filter((one) => one !== reason) }),
              })),
              ...search.exclusion.map((reason) => ({
                key: reason,
                label: t(exclusionTexts[reason]),
                onRemove: () => onChange({ exclusion: search.exclusion.filter((one) => one !== reason) }),
              })),
            ]}
            onClear={() => onChange(clearedFilters)}
          />
        )}
      </div>
      {isOpen && (
        <Suspense fallback={null}>
          <RunFilterDialog
            scanId={search.scanId}
            run={search.run}
            onClose={() => setIsOpen(false)}
            onApply={(next) => {
              setIsOpen(false)
              onChange(next)
            }}
          />
        </Suspense>
      )}
    </Filters>
  )
}

function HealthLabel({ search, health }: { search: PageSearch; health: Health }) {
  return (
    <>
      <SignLabel sign={health} />
      <TabCount search={search} tab="completed" health={[health]} />
    </>
  )
}

type TabCountProps = { search: PageSearch; tab: PageTab; health?: readonly Health[] }

function TabCount({ search, tab, health }: TabCountProps) {
  const { api: apiClient } = useSession()
  const { formatNumber } = useFormats()
  const { data: pageCount } = useQuery(pageCountQuery(apiClient, search, tab, health))
  return <span className={layout.num}>{pageCount === undefined ? '' : formatNumber(pageCount)}</span>
}
