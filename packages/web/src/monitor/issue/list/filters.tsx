import { useLingui } from '@lingui/react/macro'
import type { IssueList } from '@clearway/contract/monitor/issue/schema.ts'
import type { PageSource } from '@clearway/contract/monitor/page/schema.ts'
import type { FindingEngine } from '@clearway/contract/monitor/ruleset/drive/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, lazy, useId, useState } from 'react'
import { Select, toLabeledOptions } from '../../../kit/form/select.tsx'
import { Button } from '../../../kit/control/button.tsx'
import { type FilterChip, FilterChips } from '../../../kit/page/chips.tsx'
import field from '../../../kit/form/field.module.css'
import { useFormats } from '../../../kit/text/format.ts'
import { useSession } from '../../user/model.ts'
import layout from '../../../kit/page/layout.module.css'
import filter from '../../../kit/list/filter.module.css'
import { Filters } from '../../../kit/list/filters.tsx'
import { SearchField } from '../../../kit/list/search-field.tsx'
import { Toggles } from '../../../kit/form/toggles.tsx'
import { sourceLabels } from '../../page/parts/source-labels.ts'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import { ScanChoice } from '../../scan/parts/choice.tsx'
import { type IssueSearch, type GroupProperty, severityOptions, withoutFilters } from '../model.ts'
import { usersInViewQuery } from '../queries.ts'
import { changeLabels, engineLabels, getTagName, reviewLabels, statusLabels } from '../panel/value-labels.ts'
import { getStateName } from '../parts/state-label.ts'
import { getPersonName } from '../../../kit/text/person.ts'

const IssueMoreFilters = lazy(() => import('./more-filters.tsx').then((module) => ({ default: module.IssueMoreFilters })))
const RunFilterDialog = lazy(() =>
  import('../../run/parts/filter-dialog.tsx').then((module) => ({ default: module.RunFilterDialog })),
)

type IssueFiltersProps = {
  search: IssueSearch
  counts: IssueList['severities'] | undefined
  onChange: (next: Partial<IssueSearch>) => void
  views: ReactNode
}

export function IssueFilters({ search, counts, onChange, views }: IssueFiltersProps) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const { permissions } = useSession()
  const [openDialog, setOpenDialog] = useState<'more' | 'runs' | null>(null)
  const filterChips = useFilterChips(search, onChange)
  const isAssignedToMe = search.assignedTo.length === 1 && search.assignedTo[0] === permissions.id
  return (
    <Filters
      label={t`Issues`}
      activeCount={filterChips.length + countFoldedFilters(search)}
      pinnedControls={views}
      firstLine={
        <>
          <ScanChoice
            chosenScanIds={search.scanId}
            runNumber={search.run}
            onChange={(scanId) => onChange({ scanId, run: undefined, pageId: [] })}
            onMore={() => setOpenDialog('runs')}
          />
          <SearchField
            label={t`Find in issues`}
            placeholder={t`Rule, selector or page`}
            value={search.q}
            onSearch={(q) => onChange({ q })}
          />
          <StatusChoice search={search} onChange={onChange} />
          <GroupChoice search={search} onChange={onChange} />
        </>
      }
    >
      <div className={layout.bar}>
        <Toggles
          label={t`Impact`}
          value={search.severity}
          onChange={(severity) => onChange({ severity })}
          options={severityOptions.map((severity) => {
            const severityCount = counts?.[severity === 'needs review' ? 'needsReview' : severity]
            return {
              value: severity,
              label: <SignLabel sign={severity} />,
              ...(severityCount === undefined ? {} : { count: formatNumber(severityCount) }),
            }
          })}
        />
        {!permissions.isGuest && (
          <Button
            small
            pressed={isAssignedToMe}
            onPress={() => onChange({ assignedTo: isAssignedToMe ? [] : [permissions.id] })}
          >{t`Assigned to me`}</Button>
        )}
        <Button small onPress={() => setOpenDialog('more')}>{t`More filters…`}</Button>
        <FilterChips chips={filterChips} onClear={() => onChange(withoutFilters(search))} />
      </div>
      <Suspense fallback={null}>
        {openDialog === 'more' && (
          <IssueMoreFilters
            search={search}
            onClose={() => setOpenDialog(null)}
            onApply={(next) => {
              setOpenDialog(null)
              onChange(next)
            }}
          />
        )}
        {openDialog === 'runs' && (
          <RunFilterDialog
            scanId={search.scanId}
            run={search.run}
            onClose={() => setOpenDialog(null)}
            onApply={(next) => {
              setOpenDialog(null)
              onChange({ ...next, pageId: [] })
            }}
          />
        )}
      </Suspense>
    </Filters>
  )
}

/** Filters without a chip, which a small screen hides. The title names the scan. */
const countFoldedFilters = ({ q, severity, status, review }: IssueSearch): number =>
  [q !== '', severity.length > 0, status.join() !== 'open' || review.length > 0].filter(Boolean).length

type RowGrouping = 'none' | 'template' | GroupProperty

function GroupChoice({ search, onChange }: Pick<IssueFiltersProps, 'search' | 'onChange'>) {
  const { t } = useLingui()
  const selectId = useId()
  const currentGrouping: RowGrouping = search.by || (search.grouped ? 'template' : 'none')
  const groupingLabels: Record<RowGrouping, string> = {
    none: t`No grouping`,
    template: t`Repeated element`,
    rule: t`Rule`,
    page: t`Page`,
    component: t`Component`,
  }
  const chooseGrouping = (grouping: RowGrouping) =>
    onChange({
      by: grouping === 'none' || grouping === 'template' ? '' : grouping,
      grouped: grouping === 'none' ? false : grouping === 'template' ? true : search.grouped,
    })
  return (
    <span className={`${layout.line} ${filter.last}`}>
      <label htmlFor={selectId} className={layout.nowrap}>{t`Group by`}</label>
      <Select
        id={selectId}
        className={`${field.control} ${field.fit} ${filter.narrow}`}
        value={currentGrouping}
        options={toLabeledOptions(groupingLabels)}
        onChange={chooseGrouping}
      />
    </span>
  )
}

const statusFilters = ['open', 'ignored', 'fixed'] as const
const reviewFilters = ['open', 'issue', 'not-issue', 'unsure'] as const
type StatusFilter = (typeof statusFilters)[number] | `review ${(typeof reviewFilters)[number]}` | 'any'

/** Statuses, and the answers to results that need review. */
function StatusChoice({ search, onChange }: Pick<IssueFiltersProps, 'search' | 'onChange'>) {
  const { t } = useLingui()
  const selectId = useId()
  const [firstStatus] = search.status
  const [firstReview] = search.review
  const currentFilter: StatusFilter =
    search.review.length === 1 && firstReview
      ? `review ${firstReview}`
      : search.status.length === 1 && firstStatus !== undefined && firstStatus !== 'none'
        ? firstStatus
        : 'any'
  const createOption = (review: (typeof reviewFilters)[number]) =>
    [`review ${review}`, review === 'open' ? t`To review` : t(reviewLabels[review])] as const
  const choose = (chosen: StatusFilter) => {
    const review = reviewFilters.find((candidate) => chosen === `review ${candidate}`)
    const status = statusFilters.find((candidate) => chosen === candidate)
    // Results that are no issue have no status.
    onChange({ review: review ? [review] : [], status: review === 'open' ? ['open'] : status ? [status] : [] })
  }
  return (
    <span className={layout.line}>
      <label htmlFor={selectId} className={layout.nowrap}>{t`Status`}</label>
      <Select<StatusFilter>
        id={selectId}
        className={`${field.control} ${field.fit} ${filter.narrow}`}
        value={currentFilter}
        options={[
          ...statusFilters.map((status) => [status, t(statusLabels[status])] as const),
          ...reviewFilters.map(createOption),
          ['any', t`Any`],
        ]}
        onChange={choose}
      />
    </span>
  )
}

function useFilterChips(search: IssueSearch, onChange: IssueFiltersProps['onChange']): FilterChip[] {
  const { t } = useLingui()
  const { formatDate } = useFormats()
  const { api: apiClient, permissions } = useSession()
  const isOtherPerson = (id: string) => id !== '' && id !== permissions.id
  const visibleUsers = useQuery({
    ...usersInViewQuery(apiClient, search),
    enabled: !permissions.isGuest && search.assignedTo.some(isOtherPerson),
  }).data?.content
  const createChip = (key: string, label: string, change: Partial<IssueSearch>): FilterChip => ({
    key,
    label,
    onRemove: () => onChange(change),
  })
  const listFilters = [
    [
      'source',
      (name: string) => {
        const sourceName = t(sourceLabels[name as PageSource])
        return t`Source: ${sourceName}`
      },
    ],
    [
      'engine',
      (name: string) => {
        const engineName = t(engineLabels[name as FindingEngine])
        return t`Found by: ${engineName}`
      },
    ],
    [
      'state',
      (state: string) => {
        const stateName = getStateName(state, t)
        return t`Seen in: ${stateName}`
      },
    ],
    ['rule', (rule: string) => t`Rule: ${rule}`],
    [
      'tag',
      (name: string) => {
        const tagLabel = getTagName(name)
        return t`Tag: ${tagLabel}`
      },
    ],
    ['label', (label: string) => t`Label: ${label}`],
    ['component', (component: string) => (component === '' ? t`Not in a component` : t`Component: ${component}`)],
    ['template', () => t`Same element on many pages`],
    ['ignore', () => t`Ignored by one decision`],
    [
      'assignedTo',
      (id: string) => {
        if (id === '') return t`Unassigned`
        if (!isOtherPerson(id)) return t`Assigned to me`
        const assignee = visibleUsers?.find((candidate) => candidate.id === id)
        const name = assignee ? getPersonName(assignee) : visibleUsers ? t`Former member` : '…'
        return t`Assigned to ${name}`
      },
    ],
    ['change', (changeKind: string) => t(changeLabels[changeKind as keyof typeof changeLabels])],
  ] as const
  const { from: fromDay, to: toDay } = search
  const [formattedFrom, formattedTo] = [fromDay && formatDate(`${fromDay}T00:00`), toDay && formatDate(`${toDay}T00:00`)]
  return [
    ...listFilters.flatMap(([key, words]) =>
      search[key].map((value) =>
        createChip(`${key} ${value}`, words(value), { [key]: search[key].filter((candidate) => candidate !== value) }),
      ),
    ),
    ...(fromDay ? [createChip('from', t`First found from ${formattedFrom}`, { from: '' })] : []),
    ...(toDay ? [createChip('to', t`First found until ${formattedTo}`, { to: '' })] : []),
    ...(search.pageId.length > 0 ? [createChip('page', t`One page`, { pageId: [] })] : []),
  ]
}
