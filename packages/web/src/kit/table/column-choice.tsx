import { useLingui } from '@lingui/react/macro'
import { Suspense, lazy, useMemo, useState } from 'react'
import { Button } from '../control/button.tsx'
import type { Column } from './table.tsx'
import { withLaterTexts } from '../text/later-texts.ts'
import { readStoredValue, writeStoredValue } from '../client/storage.ts'

// Lists are what people load first; few choose columns then.
const ColumnDialog = lazy(() =>
  withLaterTexts(import('./column-dialog.tsx')).then((m) => ({ default: m.ColumnDialog })),
)

/** What names the row, and what has no heading to be seen, is always there. */
function isFixed<Row>({ rowHead, quiet }: Column<Row>): boolean {
  return rowHead === true || quiet === true
}

/** Columns that somebody has chosen for one list; kept in this browser. */
export function useColumnChoice<Row>(
  list: string,
  columns: readonly Column<Row>[],
  usual: readonly string[],
) {
  const key = `columns.${list}`
  // By list: a screen may show one after the other.
  const [own, setOwn] = useState<Readonly<Record<string, readonly string[]>>>({})
  const kept = useMemo(() => own[list] ?? readStoredValue(key)?.split(','), [own, list, key])
  const chosen = kept ?? usual
  const shown = useMemo(
    () => columns.filter((column) => isFixed(column) || chosen.includes(column.key)),
    [columns, chosen],
  )
  return {
    shown,
    chosen,
    /** Nobody has chosen: these are the usual ones. */
    isUsual: kept === undefined,
    choose: (keys: readonly string[]) => {
      setOwn({ ...own, [list]: keys })
      writeStoredValue(key, keys.join() === usual.join() ? null : keys.join())
    },
  }
}

type Props<Row> = {
  columns: readonly Column<Row>[]
  chosen: readonly string[]
  onChoose: (keys: readonly string[]) => void
}

/** The button that opens the choice of columns. */
export function ColumnChoice<Row>({ columns, chosen, onChoose }: Props<Row>) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  const on = (key: string, ticked: boolean) =>
    onChoose(
      columns.map((column) => column.key).filter((one) => (one === key ? ticked : chosen.includes(one))),
    )
  return (
    <>
      <Button small onPress={() => setOpen(true)}>{t`Columns…`}</Button>
      {open && (
        <Suspense fallback={null}>
          <ColumnDialog
            columns={columns.filter((column) => !isFixed(column))}
            chosen={chosen}
            onToggle={on}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
