import { writeXlsxStream } from 'hucre/xlsx'
import type { Cell, Portions } from './csv/write.ts'

/** What Excel takes in one cell. */
const cellLength = 32_000

// oxlint-disable-next-line no-control-regex -- these are the ones that XML forbids
const forbidden = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g
/** XML takes no control characters, and no halves of surrogate pairs. */
const printable = (text: string): string =>
  text.toWellFormed().replaceAll(forbidden, '\uFFFD').slice(0, cellLength)

/** A workbook with one table, sent while rows are read. Texts are texts: nothing in them is calculated. */
export function xlsxStream(
  sheet: string,
  names: readonly string[],
  rows: Portions<readonly Cell[]>,
): AsyncIterable<Uint8Array> {
  const cells = async function* () {
    for await (const portion of rows)
      for (const row of portion)
        yield row.map((value) => (typeof value === 'string' ? printable(value) : value))
  }
  return writeXlsxStream(cells(), {
    name: sheet,
    columns: names.map((header) => ({ header })),
    freezePane: { rows: 1 },
  })
}
