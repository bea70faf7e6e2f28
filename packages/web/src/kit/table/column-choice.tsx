import { useLingui } from '@lingui/react/macro'
import { Suspense, lazy, useMemo, useState } from 'react'
import { Button } from '../control/button.tsx'
import type { Column } from './table.tsx'
import { withDeferredTexts } from '../text/deferred-texts.ts'
import { readStoredValue, writeStoredValue } from '../client/storage.ts'

// Lists load first, and few users choose columns right away.
const ColumnDialog = lazy(() =>
  withDeferredTexts(import('./column-dialog.tsx')).then((module) => ({ default: module.ColumnDialog })),
)

/** Columns that name the row or have no visible heading are always shown. */
function isFixedColumn<Row>({ isRowHeading, isHeadingHidden }: Column<Row>): boolean {
  return isRowHeading === true || isHeadingHidden === true
}

/** Visible columns of a list, stored in this browser. */
export function useColumnChoice<Row>(listName: string, columns: readonly Column<Row>[], defaultKeys: readonly string[]) {
  const storageKey = `columns.${listName}`
  // Stored per list because a screen may switch between lists.
  const [chosenByList, setChosenByList] = useState<Readonly<Record<string, readonly string[]>>>({})
  const storedKeys = useMemo(
    () => chosenByList[listName] ?? readStoredValue(storageKey)?.split(','),
    [chosenByList, listName, storageKey],
  )
  // Stable while the keys are: new columns render every row again.
  const keyText = (storedKeys ?? defaultKeys).join()
  const chosenKeys = useMemo(() => keyText.split(','), [keyText])
  const visibleColumns = useMemo(
    () =>
      columns
        .filter((column) => isFixedColumn(column) || chosenKeys.includes(column.key))
        // A column that the user chose stays.
        .map((column) => (storedKeys ? { ...column, isHiddenBesideDetail: false } : column)),
    [columns, chosenKeys, storedKeys],
  )
  return {
    visibleColumns,
    chosenKeys,
    choose: (newKeys: readonly string[]) => {
      setChosenByList({ ...chosenByList, [listName]: newKeys })
      writeStoredValue(storageKey, newKeys.join() === defaultKeys.join() ? null : newKeys.join())
    },
  }
}

type ColumnChoiceProps<Row> = {
  columns: readonly Column<Row>[]
  chosenKeys: readonly string[]
  onChoose: (keys: readonly string[]) => void
}

export function ColumnChoice<Row>({ columns, chosenKeys, onChoose }: ColumnChoiceProps<Row>) {
  const { t } = useLingui()
  const [isOpen, setIsOpen] = useState(false)
  const toggleColumn = (key: string, isVisible: boolean) =>
    onChoose(
      columns
        .map((column) => column.key)
        .filter((candidateKey) => (candidateKey === key ? isVisible : chosenKeys.includes(candidateKey))),
    )
  return (
    <>
      <Button small onPress={() => setIsOpen(true)}>{t`Columns…`}</Button>
      {isOpen && (
        <Suspense fallback={null}>
          <ColumnDialog
            columns={columns.filter((column) => !isFixedColumn(column))}
            chosen={chosenKeys}
            onToggle={toggleColumn}
            onClose={() => setIsOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
