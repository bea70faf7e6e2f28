import { useLingui } from '@lingui/react/macro'
import { RowMenu } from '../menu/row-menu.tsx'
import type { Column } from '../table/table.tsx'

type RowAction = { id: string; text: string; isDestructive?: boolean; onAction: () => void }

export function useRowActions<Row>(
  getRowName: (row: Row) => string,
  getActions: (row: Row) => readonly RowAction[],
): Column<Row> {
  const { t } = useLingui()
  return {
    key: 'actions',
    heading: t`Actions`,
    isHeadingHidden: true,
    // At the right edge.
    isNumeric: true,
    renderCell: (row) => (
      <RowMenu name={getRowName(row)} entries={getActions(row).map((action) => ({ ...action, label: action.text }))} />
    ),
  }
}

export function useEditDelete<Row>(
  getRowName: (row: Row) => string,
  onEdit: (row: Row) => void,
  onDelete: (row: Row) => void,
): Column<Row> {
  const { t } = useLingui()
  return useRowActions(getRowName, (row) => [
    { id: 'edit', text: t`Edit`, onAction: () => onEdit(row) },
    { id: 'delete', text: t`Delete…`, isDestructive: true, onAction: () => onDelete(row) },
  ])
}
