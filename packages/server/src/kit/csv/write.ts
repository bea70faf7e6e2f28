export type CsvCell = string | number | null

/** Below the maximum length of a cell in spreadsheets, which break longer ones apart. */
export const maxCellLength = 32_000

/** Spreadsheets interpret such cells as formulas; a scanned page could contain one. */
const formulaStart = /^[\s\uFEFF]*[=+\-@|\t\r\uFF1D\uFF0B\uFF0D\uFF20]/

/** Fast path for most cells: true for characters that cannot start a formula, such as digits and letters. */
const isSafeStart = (charCode: number): boolean => (charCode >= 0x30 && charCode <= 0x3c) || (charCode > 0x40 && charCode < 0x7c)

/** Formats one cell according to RFC 4180; formulas are prefixed with an apostrophe, and long texts are cut. */
function formatCsvCell(cellValue: CsvCell): string {
  if (cellValue === null) return ''
  if (typeof cellValue === 'number') return String(cellValue)
  const cellStart = cellValue.length > maxCellLength ? cellValue.slice(0, maxCellLength).toWellFormed() : cellValue
  const cellText = !isSafeStart(cellStart.charCodeAt(0)) && formulaStart.test(cellStart) ? `'${cellStart}` : cellStart
  return /[",;\r\n\t']/.test(cellText) ? `"${cellText.replaceAll('"', '""')}"` : cellText
}
function formatCsvLine(cells: readonly CsvCell[]): string {
  let lineText = formatCsvCell(cells[0] ?? null)
  for (let columnIndex = 1; columnIndex < cells.length; columnIndex++) lineText += `,${formatCsvCell(cells[columnIndex]!)}`
  return `${lineText}\r\n`
}

/** Rows in batches, as they come from the database: awaiting each row would cost more than the row itself. */
export type RowBatches<Row> = AsyncIterable<readonly Row[]>

/** Encoding many small texts is faster than encoding one of many thousand pieces. */
const linesPerChunk = 100

/** Streams CSV in constant memory: UTF-8 with BOM, header, rows. Emits nothing before the first batch, which may still fail. */
export async function* streamCsv(columnNames: readonly string[], rows: RowBatches<readonly CsvCell[]>): AsyncGenerator<string> {
  let textChunk = `\uFEFF${formatCsvLine(columnNames)}`
  for await (const batch of rows)
    for (let startIndex = 0; startIndex < batch.length; startIndex += linesPerChunk) {
      for (const row of batch.slice(startIndex, startIndex + linesPerChunk)) textChunk += formatCsvLine(row)
      yield textChunk
      textChunk = ''
    }
  if (textChunk !== '') yield textChunk
}

/** Streams texts with a separator between a start and an end, as for JSON. Nothing is emitted before the first batch. */
export async function* streamList(
  begin: string,
  items: RowBatches<string>,
  end: string,
  separator = ',\n',
): AsyncGenerator<string> {
  let isFirst = true
  for await (const batch of items) {
    if (batch.length === 0) continue
    yield (isFirst ? begin : separator) + batch.join(separator)
    isFirst = false
  }
  yield isFirst ? begin + end : end
}

export async function* mapRows<Row, To>(rows: RowBatches<Row>, mapRow: (row: Row) => To): AsyncGenerator<To[]> {
  for await (const batch of rows) yield batch.map(mapRow)
}
