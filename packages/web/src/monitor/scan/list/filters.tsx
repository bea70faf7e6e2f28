import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import field from '../../../kit/form/field.module.css'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { Filters } from '../../../kit/list/filters.tsx'
import { SearchField } from '../../../kit/list/search-field.tsx'
import { Segmented } from '../../../kit/form/segmented.tsx'
import { useSession } from '../../user/model.ts'
import type { ScanSearch } from '../model.ts'
import { sortBy } from '../model.ts'
import { scanCountQuery, scanTagsQuery } from '../queries.ts'

type Props = { search: ScanSearch; onChange: (next: Partial<ScanSearch>) => void }

/** All, favourites or mine, and the search. */
export function ScanFilters({ search, onChange }: Props) {
  const { t } = useLingui()
  const labels: Record<ScanSearch['show'], string> = { all: t`All`, favorites: t`Favorites`, mine: t`Mine` }
  const active = [search.q !== '', search.tag !== '', search.show !== 'all'].filter(Boolean).length
  return (
    <Filters label={t`Scans`} active={active} line>
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
        <select
          className={field.small}
          value={search.group}
          onChange={({ target }) => onChange({ group: target.value as ScanSearch['group'] })}
        >
          <option value="none">{t`Nothing`}</option>
          <option value="group">{t`Scan group`}</option>
          <option value="type">{t`Scan type`}</option>
          <option value="priority">{t`Priority`}</option>
        </select>
      </label>
    </Filters>
  )
}

function Count({ show }: { show: ScanSearch['show'] }) {
  const { api } = useSession()
  const { number } = useFormats()
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
      <select
        className={`${field.small} ${field.fit}`}
        value={tag}
        onChange={({ target }) => onChange(target.value)}
      >
        <option value="">{t`All`}</option>
        {[...new Set(tag === '' ? tags : [tag, ...tags])].map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
