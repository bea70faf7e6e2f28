import { useLingui } from '@lingui/react/macro'
import { useMemo, useState } from 'react'
import { Button } from '../control/button.tsx'
import type { Column } from './table.tsx'
import { Dialog, DialogActions } from '../dialog/dialog.tsx'
import { CheckField } from '../form/field.tsx'
import { readStored, writeStored } from '../client/storage.ts'

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
  const [chosen, setChosen] = useState<readonly string[]>(() => readStored(key)?.split(',') ?? usual)
  const shown = useMemo(
    () => columns.filter((column) => isFixed(column) || chosen.includes(column.key)),
    [columns, chosen],
  )
  return {
    shown,
    chosen,
    choose: (keys: readonly string[]) => {
      setChosen(keys)
      writeStored(key, keys.join() === usual.join() ? null : keys.join())
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
        <Dialog title={t`Columns`} onClose={() => setOpen(false)}>
          <div>
            {columns
              .filter((column) => !isFixed(column))
              .map(({ key, head }) => (
                <CheckField key={key} label={head}>
                  {(control) => (
                    <input
                      {...control}
                      type="checkbox"
                      checked={chosen.includes(key)}
                      onChange={({ target }) => on(key, target.checked)}
                    />
                  )}
                </CheckField>
              ))}
          </div>
          <DialogActions>
            <Button kind="primary" onPress={() => setOpen(false)}>{t`Close`}</Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  )
}
