import { useLingui } from '@lingui/react/macro'
import { RowMenu } from '../menu/row-menu.tsx'
import type { Column } from '../table/table.tsx'

type Action = { id: string; text: string; danger?: boolean; onAction: () => void }

/** The column of what can be done to each row. */
export function useRowActions<Row>(
  nameOf: (row: Row) => string,
  actionsOf: (row: Row) => readonly Action[],
): Column<Row> {
  const { t } = useLingui()
  return {
    key: 'actions',
    head: t`Actions`,
    quiet: true,
    cell: (row) => (
      <RowMenu
        name={nameOf(row)}
        entries={actionsOf(row).map((action) => ({ ...action, label: action.text }))}
      />
    ),
  }
}

/** The same for rows that can be edited and deleted. */
export function useEditDelete<Row>(
  nameOf: (row: Row) => string,
  onEdit: (row: Row) => void,
  onDelete: (row: Row) => void,
): Column<Row> {
  const { t } = useLingui()
  return useRowActions(nameOf, (row) => [
    { id: 'edit', text: t`Edit`, onAction: () => onEdit(row) },
    { id: 'delete', text: t`Delete…`, danger: true, onAction: () => onDelete(row) },
  ])
}
