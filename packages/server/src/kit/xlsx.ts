import { replaceInvalidXml } from '@clearway/contract/kit/xml.ts'
import { type CsvCell, maxCellLength, type RowBatches } from './csv/write.ts'

const toCellText = (text: string): string => replaceInvalidXml(text).slice(0, maxCellLength)

/** Maximum column width, in characters. */
const maxColumnWidth = 60
/** Width of a text in letters: Chinese, Japanese and Korean characters count twice. */
const measureText = (text: string): number => text.length + (text.match(/[\u2e80-\uffef]/g)?.length ?? 0)
const computeColumnWidth = (texts: readonly CsvCell[]): number =>
  texts.reduce<number>((width, text) => Math.min(maxColumnWidth, Math.max(width, measureText(String(text ?? '')) + 2)), 0)

/** Streams a workbook with one table. Texts are never formulas. Nothing is emitted before the first rows, which set widths. */
export async function* streamXlsx(
  sheetName: string,
  columnNames: readonly string[],
  rows: RowBatches<readonly CsvCell[]>,
): AsyncGenerator<Uint8Array> {
  const rowBatches = rows[Symbol.asyncIterator]()
  const firstBatch = await rowBatches.next()
  const generateCells = async function* () {
    for (let currentBatch = firstBatch; !currentBatch.done; currentBatch = await rowBatches.next())
      for (const row of currentBatch.value) yield row.map((value) => (typeof value === 'string' ? toCellText(value) : value))
  }
  const measuredRows = firstBatch.done ? [] : firstBatch.value
  try {
    // Loaded with the first workbook: a server would otherwise keep it in memory without need.
    const { writeXlsxStream } = await import('hucre/xlsx')
    yield* writeXlsxStream(generateCells(), {
      name: sheetName,
      columns: columnNames.map((header, column) => ({
        header,
        width: computeColumnWidth([header, ...measuredRows.map((row) => row[column] ?? null)]),
      })),
      freezePane: { rows: 1 },
    })
  } finally {
    await rowBatches.return?.()
  }
}
