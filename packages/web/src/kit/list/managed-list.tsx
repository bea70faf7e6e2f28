import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { getButtonClass } from '../control/button.tsx'
import { Icon } from '../control/icon.tsx'
import { PageHead } from '../page/head.tsx'
import { ListCard, type ListCardProps, type ListSearch } from './card.tsx'
import { useEditDelete } from './row-actions.tsx'

type Props<Row, S extends ListSearch> = Omit<ListCardProps<Row, S>, 'caption'> & {
  /** What is listed. */
  title: string
  productName: string
  /** How many there are, in words. */
  renderCount: (total: number) => ReactNode
  create: { to: NonNullable<LinkProps['to']>; label: string }
  nameOf: (row: Row) => string
  onEdit: (row: Row) => void
  renderDelete: (row: Row, onClose: () => void) => ReactNode
}

/** The screen of things that people make, edit and delete: title, count, search, list and the question before a deletion. */
export function ManagedList<Row, S extends ListSearch>(props: Props<Row, S>): ReactNode {
  const { title, productName, renderCount, create, nameOf, onEdit, renderDelete, ...card } = props
  const [deleting, setDeleting] = useState<Row | null>(null)
  const actions = useEditDelete(nameOf, onEdit, setDeleting)
  const total = card.list.data?.page.totalElements
  return (
    <>
      <PageHead
        title={title}
        productName={productName}
        facts={!!total && renderCount(total)}
        actions={
          <Link to={create.to} className={getButtonClass({ kind: 'primary' })}>
            <Icon name="plus" />
            {create.label}
          </Link>
        }
      />
      <ListCard {...card} caption={title} columns={[...card.columns, actions]} />
      {deleting !== null && renderDelete(deleting, () => setDeleting(null))}
    </>
  )
}
