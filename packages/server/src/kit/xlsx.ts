import { replaceInvalidXml } from '@clearway/contract/kit/xml.ts'
import { writeXlsxStream } from 'hucre/xlsx'
import type { CsvCell, RowBatches } from './csv/write.ts'

/** What Excel takes in one cell. */
const cellLength = 32_000

const printable = (text: string): string => replaceInvalidXml(text).slice(0, cellLength)

/** The widest column, in characters. */
const widest = 60
/** Characters of the width of a letter: those of Chinese, Japanese and Korean take two. */
const widthOf = (text: string): number => text.length + (text.match(/[\u2e80-\uffef]/g)?.length ?? 0)
/** How wide a column is that shows these texts. */
const widthFor = (texts: readonly CsvCell[]): number =>
  texts.reduce<number>((width, text) => Math.min(widest, Math.max(width, widthOf(String(text ?? '')) + 2)), 0)

/**
 * A workbook with one table, its columns as wide as the first rows need, sent while rows are read. Texts are texts: nothing in
 * them is calculated. Nothing goes out before the first rows are there.
 */
export async function* xlsxStream(
  sheet: string,
  names: readonly string[],
  rows: RowBatches<readonly CsvCell[]>,
): AsyncGenerator<Uint8Array> {
  const portions = rows[Symbol.asyncIterator]()
  const first = await portions.next()
  const cells = async function* () {
    for (let now = first; !now.done; now = await portions.next())
      for (const row of now.value)
        yield row.map((value) => (typeof value === 'string' ? printable(value) : value))
  }
  const shown = first.done ? [] : first.value
  try {
    yield* writeXlsxStream(cells(), {
      name: sheet,
      columns: names.map((header, column) => ({
        header,
        width: widthFor([header, ...shown.map((row) => row[column] ?? null)]),
      })),
      freezePane: { rows: 1 },
    })
  } finally {
    await portions.return?.()
  }
}
