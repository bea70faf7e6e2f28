import { useLingui } from '@lingui/react/macro'
import type { IssueList, IssueStatus } from '@clearway/contract/monitor/issue/schema.ts'
import type { PageSource } from '@clearway/contract/monitor/page/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, lazy, useId, useState } from 'react'
import { Select, toLabeledOptions } from '../../../kit/form/select.tsx'
import { Button } from '../../../kit/control/button.tsx'
import type { FilterChip } from '../../../kit/page/chips.tsx'
import { FilterChips } from '../../../kit/page/chips.tsx'
import field from '../../../kit/form/field.module.css'
import { useFormats } from '../../../kit/text/format.ts'
import { useSession } from '../../user/model.ts'
import layout from '../../../kit/page/layout.module.css'
import { Filters } from '../../../kit/list/filters.tsx'
import { SearchField } from '../../../kit/list/search-field.tsx'
import { Toggles } from '../../../kit/form/toggles.tsx'
import { sourceWords } from '../../page/parts/source-words.ts'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import { ScanChoice } from '../../scan/parts/choice.tsx'
import type { IssueSearch, Sum } from '../model.ts'
import { severities, withoutFilters } from '../model.ts'
import { usersInViewQuery } from '../queries.ts'
import { changeWords, statusWords, tagName } from '../parts/words.ts'
import { getPersonName } from '../../../kit/text/person.ts'

const IssueMoreFilters = lazy(() =>
  import('./more-filters.tsx').then((m) => ({ default: m.IssueMoreFilters })),
)
const RunFilterDialog = lazy(() =>
  import('../../run/parts/filter-dialog.tsx').then((m) => ({ default: m.RunFilterDialog })),
)

type Props = {
  search: IssueSearch
  counts: IssueList['severities'] | undefined
  onChange: (next: Partial<IssueSearch>) => void
  /** The choice of a saved view. */
  views: ReactNode
}

/** Everything that narrows the issues list. Each change is in the address bar. */
export function IssueFilters({ search, counts, onChange, views }: Props) {
  const { t } = useLingui()
  const { formatNumber: number } = useFormats()
  const { permissions } = useSession()
  const [open, setOpen] = useState<'more' | 'runs' | null>(null)
  const chips = useChips(search, onChange)
  const mine = search.assignedTo.length === 1 && search.assignedTo[0] === permissions.id
  return (
    <Filters
      label={t`Issues`}
      activeCount={chips.length}
      pinnedControls={views}
      firstLine={
        <>
          <ScanChoice
            chosen={search.scanId}
            run={search.run}
            onChange={(scanId) => onChange({ scanId, run: undefined, pageId: [] })}
          />
          <Button small onPress={() => setOpen('runs')}>{t`Scans and runs…`}</Button>
        </>
      }
    >
      <div className={layout.bar}>
        <Toggles
          label={t`Impact`}
          value={search.severity}
          onChange={(severity) => onChange({ severity })}
          options={severities.map((severity) => {
            const count = counts?.[severity === 'needs review' ? 'needsReview' : severity]
            return {
              value: severity,
              label: <SignLabel sign={severity} />,
              ...(count === undefined ? {} : { count: number(count) }),
            }
          })}
        />
      </div>
      <div className={layout.bar}>
        <SearchField
          label={t`Find in issues`}
          placeholder={t`Rule, selector or page`}
          value={search.q}
          onSearch={(q) => onChange({ q })}
        />
        <StatusChoice status={search.status} onChange={(status) => onChange({ status })} />
        <GroupChoice search={search} onChange={onChange} />
        {!permissions.isGuest && (
          <Button
            small
            pressed={mine}
            onPress={() => onChange({ assignedTo: mine ? [] : [permissions.id] })}
          >{t`Assigned to me`}</Button>
        )}
        <Button small onPress={() => setOpen('more')}>{t`More filters…`}</Button>
        <FilterChips chips={chips} onClear={() => onChange(withoutFilters(search))} />
      </div>
      <Suspense fallback={null}>
        {open === 'more' && (
          <IssueMoreFilters
            search={search}
            onClose={() => setOpen(null)}
            onApply={(next) => {
              setOpen(null)
              onChange(next)
            }}
          />
        )}
        {open === 'runs' && (
          <RunFilterDialog
            scanId={search.scanId}
            run={search.run}
            onClose={() => setOpen(null)}
            onApply={(next) => {
              setOpen(null)
              onChange({ ...next, pageId: [] })
            }}
          />
        )}
      </Suspense>
    </Filters>
  )
}

type Grouping = 'none' | 'template' | Sum

/** What a row of the list stands for: an issue, or all that have something in common. */
function GroupChoice({ search, onChange }: Pick<Props, 'search' | 'onChange'>) {
  const { t } = useLingui()
  const id = useId()
  const value: Grouping = search.by || (search.grouped ? 'template' : 'none')
  const options: Record<Grouping, string> = {
    none: t`No grouping`,
    template: t`Same element on many pages`,
    rule: t`Rule`,
    page: t`Page`,
    component: t`Component`,
  }
  const choose = (next: Grouping) =>
    onChange({
      by: next === 'none' || next === 'template' ? '' : next,
      grouped: next === 'none' ? false : next === 'template' ? true : search.grouped,
    })
  return (
    <span className={layout.line}>
      <label htmlFor={id} className={layout.nowrap}>{t`Group by`}</label>
      <Select
        id={id}
        className={`${field.control} ${field.fit}`}
        value={value}
        options={toLabeledOptions(options)}
        onChange={choose}
      />
    </span>
  )
}

type Choice = 'open' | 'ignored' | 'fixed' | 'any'

function StatusChoice({
  status,
  onChange,
}: {
  status: IssueStatus[]
  onChange: (next: IssueStatus[]) => void
}) {
  const { t } = useLingui()
  const id = useId()
  const [first] = status
  const value: Choice = status.length === 1 && first !== undefined && first !== 'none' ? first : 'any'
  return (
    <span className={layout.line}>
      <label htmlFor={id} className={layout.nowrap}>{t`Status`}</label>
      <Select<Choice>
        id={id}
        className={`${field.control} ${field.fit}`}
        value={value}
        options={[
          ...(['open', 'ignored', 'fixed'] as const).map((one) => [one, t(statusWords[one])] as const),
          ['any', t`Any`],
        ]}
        onChange={(one) => onChange(one === 'any' ? [] : [one])}
      />
    </span>
  )
}

function useChips(search: IssueSearch, onChange: Props['onChange']): FilterChip[] {
  const { t } = useLingui()
  const { formatDate: date } = useFormats()
  const { api, permissions } = useSession()
  const isOther = (id: string) => id !== '' && id !== permissions.id
  const users = useQuery({
    ...usersInViewQuery(api, search),
    enabled: !permissions.isGuest && search.assignedTo.some(isOther),
  }).data?.content
  const chip = (key: string, label: string, next: Partial<IssueSearch>): FilterChip => ({
    key,
    label,
    onRemove: () => onChange(next),
  })
  const lists = [
    [
      'source',
      (name: string) => {
        const source = t(sourceWords[name as PageSource])
        return t`Source: ${source}`
      },
    ],
    ['rule', (rule: string) => t`Rule: ${rule}`],
    [
      'tag',
      (name: string) => {
        const tag = tagName(name)
        return t`Tag: ${tag}`
      },
    ],
    ['label', (label: string) => t`Label: ${label}`],
    [
      'component',
      (component: string) => (component === '' ? t`Not in a component` : t`Component: ${component}`),
    ],
    ['template', () => t`Same element on many pages`],
    [
      'assignedTo',
      (id: string) => {
        if (id === '') return t`Unassigned`
        if (!isOther(id)) return t`Assigned to me`
        const person = users?.find((one) => one.id === id)
        const name = person ? getPersonName(person) : users ? t`Former member` : '…'
        return t`Assigned to ${name}`
      },
    ],
    ['change', (one: string) => t(changeWords[one as keyof typeof changeWords])],
  ] as const
  const { from, to } = search
  const [first, last] = [from && date(`${from}T00:00`), to && date(`${to}T00:00`)]
  return [
    ...lists.flatMap(([key, words]) =>
      search[key].map((value) =>
        chip(`${key} ${value}`, words(value), { [key]: search[key].filter((one) => one !== value) }),
      ),
    ),
    ...(from ? [chip('from', t`First found from ${first}`, { from: '' })] : []),
    ...(to ? [chip('to', t`First found until ${last}`, { to: '' })] : []),
    ...(search.pageId.length > 0 ? [chip('page', t`One page`, { pageId: [] })] : []),
  ]
}
