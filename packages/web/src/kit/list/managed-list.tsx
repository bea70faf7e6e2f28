import { Link, type LinkProps } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { getButtonClass } from '../control/button.tsx'
import { Icon } from '../control/icon.tsx'
import { PageHead } from '../page/head.tsx'
import { EmptyState } from '../page/states.tsx'
import { ListCard, type ListCardProps, type ListSearch } from './card.tsx'
import { useEditDelete } from './row-actions.tsx'

type ManagedListProps<Row, S extends ListSearch> = Omit<ListCardProps<Row, S>, 'caption' | 'emptyState'> & {
  /** Shown with the link to create an entry while there are none. */
  empty: { title: string; text: string }
  title: string
  productName: string
  renderCount: (total: number) => ReactNode
  createLink: { to: NonNullable<LinkProps['to']>; label: string }
  getRowName: (row: Row) => string
  onEdit: (row: Row) => void
  renderDelete: (row: Row, onClose: () => void) => ReactNode
}

export function ManagedList<Row, S extends ListSearch>(props: ManagedListProps<Row, S>): ReactNode {
  const { title, productName, renderCount, createLink, getRowName, onEdit, renderDelete, empty, ...cardProps } = props
  const [rowToDelete, setRowToDelete] = useState<Row | null>(null)
  const actionsColumn = useEditDelete(getRowName, onEdit, setRowToDelete)
  const totalCount = cardProps.list.data?.page.totalElements
  const createAction = (
    <Link to={createLink.to} className={getButtonClass({ kind: 'primary' })}>
      <Icon name="plus" />
      {createLink.label}
    </Link>
  )
  const isEmpty = totalCount === 0 && cardProps.search.q === '' && !cardProps.isFiltered
  const emptyState = (
    <EmptyState title={empty.title} action={isEmpty && createAction}>
      <p>{empty.text}</p>
    </EmptyState>
  )
  return (
    <>
      <PageHead
        title={title}
        productName={productName}
        facts={isEmpty ? undefined : totalCount !== undefined && renderCount(totalCount)}
        actions={!isEmpty && createAction}
      />
      <ListCard {...cardProps} emptyState={emptyState} caption={title} columns={[...cardProps.columns, actionsColumn]} />
      {rowToDelete !== null && renderDelete(rowToDelete, () => setRowToDelete(null))}
    </>
  )
}
