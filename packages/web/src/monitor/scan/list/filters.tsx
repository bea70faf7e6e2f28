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
import { sortBy } from '../model.ts'
import { scanCountQuery, scanTagsQuery } from '../queries.ts'

type Props = {
  search: ScanSearch
  onChange: (next: Partial<ScanSearch>) => void
  /** The choice of a saved view. */
  views: ReactNode
}

/** All, favorites or mine, and the search. */
export function ScanFilters({ search, onChange, views }: Props) {
  const { t } = useLingui()
  const labels: Record<ScanSearch['show'], string> = { all: t`All`, favorites: t`Favorites`, mine: t`Mine` }
  const active = [search.q !== '', search.tag !== '', search.show !== 'all'].filter(Boolean).length
  return (
    <Filters label={t`Scans`} activeCount={active} pinnedControls={views} isSingleLine>
      <Segmented
        label={t`Show`}
        value={search.show}
        onChange={(show) => onChange({ show })}
        options={(Object.keys(labels) as ScanSearch['show'][]).map((show) => ({
          value: show,
          label: (
            <>
              {labels[show]} <Count show={show} />
            </>
          ),
        }))}
      />
      <Segmented
        label={t`Count`}
        value={search.by}
        onChange={(by) => onChange({ by, sort: sortBy(search.sort, by) })}
        options={[
          { value: 'issues', label: t`By issues` },
          { value: 'pages', label: t`By pages` },
        ]}
      />
      <SearchField
        label={t`Find a scan`}
        placeholder={t`Name or URL`}
        value={search.q}
        onSearch={(q) => onChange({ q })}
      />
      <TagChoice tag={search.tag} onChange={(tag) => onChange({ tag })} />
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

function Count({ show }: { show: ScanSearch['show'] }) {
  const { api } = useSession()
  const { formatNumber: number } = useFormats()
  const { data } = useQuery(scanCountQuery(api, show))
  return <span className={layout.num}>{data === undefined ? '' : number(data)}</span>
}

/** Narrows the list to a tag; not there while no scan has any. */
function TagChoice({ tag, onChange }: { tag: string; onChange: (tag: string) => void }) {
  const { t } = useLingui()
  const { api } = useSession()
  const tags = (useQuery(scanTagsQuery(api)).data?.content ?? []).map(({ tag: name }) => name)
  if (tags.length === 0 && tag === '') return null
  return (
    <label className={layout.line}>
      {t`Tag`}
      <Select
        className={`${field.small} ${field.fit}`}
        value={tag}
        options={[
          ['', t`All`],
          ...[...new Set(tag === '' ? tags : [tag, ...tags])].map((name) => [name, name] as const),
        ]}
        onChange={onChange}
      />
    </label>
  )
}
