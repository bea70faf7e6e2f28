import { Link, type LinkProps } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { getButtonClass } from '../control/button.tsx'
import { Icon } from '../control/icon.tsx'
import { PageHead } from '../page/head.tsx'
import { ListCard, type ListCardProps, type ListSearch } from './card.tsx'
import { useEditDelete } from './row-actions.tsx'

type ManagedListProps<Row, S extends ListSearch> = Omit<ListCardProps<Row, S>, 'caption'> & {
  title: string
  productName: string
  renderCount: (total: number) => ReactNode
  createLink: { to: NonNullable<LinkProps['to']>; label: string }
  getRowName: (row: Row) => string
  onEdit: (row: Row) => void
  renderDelete: (row: Row, onClose: () => void) => ReactNode
}

export function ManagedList<Row, S extends ListSearch>(props: ManagedListProps<Row, S>): ReactNode {
  const { title, productName, renderCount, createLink, getRowName, onEdit, renderDelete, ...cardProps } = props
  const [rowToDelete, setRowToDelete] = useState<Row | null>(null)
  const actionsColumn = useEditDelete(getRowName, onEdit, setRowToDelete)
  const totalCount = cardProps.list.data?.page.totalElements
  return (
    <>
      <PageHead
        title={title}
        productName={productName}
        facts={totalCount !== undefined && renderCount(totalCount)}
        actions={
          <Link to={createLink.to} className={getButtonClass({ kind: 'primary' })}>
            <Icon name="plus" />
            {createLink.label}
          </Link>
        }
      />
      <ListCard {...cardProps} caption={title} columns={[...cardProps.columns, actionsColumn]} />
      {rowToDelete !== null && renderDelete(rowToDelete, () => setRowToDelete(null))}
    </>
  )
}
