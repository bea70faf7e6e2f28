import { useLingui } from '@lingui/react/macro'
import type { PagedList } from '@clearway/contract/kit/paging.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { getButtonClass } from '../control/button.tsx'
import { type Column, DataTable } from '../table/table.tsx'
import { DeferredContent } from '../page/deferred-content.tsx'
import layout from '../page/layout.module.css'
import type { ListSize } from './search.ts'
import { Pager, useLastPage } from './pager.tsx'
import { SearchField } from './search-field.tsx'
import { EmptyState, QueryState, Skeleton } from '../page/states.tsx'

export type ListSearch = { q: string; page: number; size: ListSize; sort: string }
export type ListCardProps<Row, S extends ListSearch> = {
  caption: string
  placeholder: string
  list: UseQueryResult<PagedList<Row>>
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string
  search: S
  onChange: (next: S) => void
  /** Shown while the list has no entries at all. */
  emptyState: ReactNode
  /** Filter controls next to the search. `isFiltered` is true if one is set; then an empty result does not mean an empty list. */
  filters?: ReactNode
  isFiltered?: boolean
}

export function ListCard<Row, S extends ListSearch>(props: ListCardProps<Row, S>) {
  const { caption, placeholder, list, search, onChange, emptyState, filters, isFiltered = false } = props
  const { t } = useLingui()
  useLastPage(list.data?.page, (page) => onChange({ ...search, page }))
  const totalCount = list.data?.page.totalElements
  const isListEmpty = totalCount === 0 && search.q === ''
  // Without the key, React would turn the search bar into the card, which would jump to its place.
  if (isListEmpty && !isFiltered)
    return (
      <div key="empty" className={layout.card}>
        {emptyState}
      </div>
    )
  return (
    <>
      <div role="search" aria-label={caption} className={layout.bar}>
        <SearchField
          label={t`Find in the list`}
          placeholder={placeholder}
          value={search.q}
          onSearch={(q) => onChange({ ...search, page: 1, q })}
        />
        {filters}
      </div>
      <QueryState query={list} loadingLabel={t`Loading`} failureTitle={t`The list could not be loaded.`} fillsScreen />
      {isListEmpty && <div className={layout.card}>{emptyState}</div>}
      {totalCount === 0 && !isListEmpty && (
        <div className={layout.card}>
          <EmptyState
            title={t`Nothing matches`}
            action={
              <button type="button" className={getButtonClass()} onClick={() => onChange({ ...search, page: 1, q: '' })}>
                {t`Remove the search “${search.q}”`}
              </button>
            }
          >
            <p>{t`No entries match the search.`}</p>
          </EmptyState>
        </div>
      )}
      {!!totalCount && (
        <DeferredContent placeholder={<Skeleton fillsScreen label={t`Loading`} />}>
          <ListCardRows {...props} />
        </DeferredContent>
      )}
    </>
  )
}

function ListCardRows<Row, S extends ListSearch>({ caption, list, columns, rowKey, search, onChange }: ListCardProps<Row, S>) {
  const { t } = useLingui()
  if (!list.data) return null
  return (
    <div className={layout.card}>
      <DataTable
        caption={caption}
        columns={columns}
        rows={list.data.content}
        rowKey={rowKey}
        sort={search.sort}
        onSort={(sort) => onChange({ ...search, page: 1, sort })}
        isBusy={list.isPlaceholderData}
      />
      <Pager
        label={t`Pages of the list`}
        page={list.data.page}
        onPage={(page) => onChange({ ...search, page })}
        onSize={(size) => onChange({ ...search, page: 1, size })}
      />
    </div>
  )
}
