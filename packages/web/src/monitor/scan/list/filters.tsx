import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import field from '../../../kit/form/field.module.css'
import { Select } from '../../../kit/form/select.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { Filters } from '../../../kit/list/filters.tsx'
import { SearchField } from '../../../kit/list/search-field.tsx'
import { Segmented } from '../../../kit/form/segmented.tsx'
import { useSession } from '../../user/model.ts'
import type { ScanSearch } from '../model.ts'
import { convertSort } from '../model.ts'
import { scanCountQuery, scanTagsQuery } from '../queries.ts'

type ScanFiltersProps = {
  search: ScanSearch
  onChange: (next: Partial<ScanSearch>) => void
  views: ReactNode
}

export function ScanFilters({ search, onChange, views }: ScanFiltersProps) {
  const { t } = useLingui()
  const filterLabels: Record<ScanSearch['show'], string> = {
    all: t`All`,
    favorites: t`Favorites`,
    mine: t`Mine`,
  }
  const activeCount = [search.q !== '', search.tag !== '', search.show !== 'all'].filter(Boolean).length
  return (
    <Filters label={t`Scans`} activeCount={activeCount} pinnedControls={views} isSingleLine>
      <Segmented
        label={t`Show`}
        value={search.show}
        onChange={(show) => onChange({ show })}
        options={(Object.keys(filterLabels) as ScanSearch['show'][]).map((show) => ({
          value: show,
          label: (
            <>
              {filterLabels[show]} <FilterCount show={show} />
            </>
          ),
        }))}
      />
      <SearchField label={t`Find a scan`} placeholder={t`Name or URL`} value={search.q} onSearch={(q) => onChange({ q })} />
      <TagChoice tag={search.tag} onChange={(tag) => onChange({ tag })} />
      <label className={layout.line}>
        {t`Count`}
        <Select
          className={field.small}
          value={search.by}
          onChange={(by) => onChange({ by, sort: convertSort(search.sort, by) })}
          options={[
            ['issues', t`Issues`],
            ['pages', t`Pages`],
          ]}
        />
      </label>
      <label className={layout.line}>
        {t`Group by`}
        <Select
          className={field.small}
          value={search.group}
          onChange={(group) => onChange({ group })}
          options={[
            ['none', t`No grouping`],
            ['group', t`Scan group`],
            ['type', t`Scan type`],
            ['priority', t`Priority`],
          ]}
        />
      </label>
    </Filters>
  )
}

function FilterCount({ show }: { show: ScanSearch['show'] }) {
  const { api: apiClient } = useSession()
  const { formatNumber } = useFormats()
  const { data: scanCount } = useQuery(scanCountQuery(apiClient, show))
  return <span className={layout.num}>{scanCount === undefined ? '' : formatNumber(scanCount)}</span>
}

/** Filters the list by tag; hidden if no scan has tags. */
function TagChoice({ tag, onChange }: { tag: string; onChange: (tag: string) => void }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const tagNames = (useQuery(scanTagsQuery(apiClient)).data?.content ?? []).map(({ tag: name }) => name)
  if (tagNames.length === 0 && tag === '') return null
  return (
    <label className={layout.line}>
      {t`Tag`}
      <Select
        className={`${field.small} ${field.fit}`}
        value={tag}
        options={[['', t`All`], ...[...new Set(tag === '' ? tagNames : [tag, ...tagNames])].map((name) => [name, name] as const)]}
        onChange={onChange}
      />
    </label>
  )
}
