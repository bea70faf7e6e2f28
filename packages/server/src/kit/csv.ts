export type Cell = string | number | null

const chunkLength = 64 * 1024
/** A spreadsheet takes a cell that begins so for a formula; a page could write one. */
const formula = /^[\s\uFEFF]*[=+\-@|\t\r]/

/** One cell after RFC 4180; what a spreadsheet would calculate stands behind an apostrophe. */
export function csvCell(value: Cell): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = formula.test(value) ? `'${value}` : value
  return /[",;\r\n\t']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
const line = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`

/** CSV as it goes out: UTF-8 with a mark for spreadsheets, a line of names, then the rows. Constant memory. */
export async function* csvStream(
  names: readonly string[],
  rows: AsyncIterable<readonly Cell[]>,
): AsyncGenerator<string> {
  let chunk = `\uFEFF${line(names)}`
  for await (const row of rows) {
    chunk += line(row)
    if (chunk.length < chunkLength) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}

/** Texts joined by commas between a beginning and an end, for JSON and the like; in pieces worth sending. */
export async function* listStream(
  begin: string,
  items: AsyncIterable<string>,
  end: string,
  separator = ',\n',
): AsyncGenerator<string> {
  let chunk = begin
  let first = true
  for await (const item of items) {
    chunk += first ? item : separator + item
    first = false
    if (chunk.length < chunkLength) continue
    yield chunk
    chunk = ''
  }
  yield chunk + end
}

/** Each row as something else. */
export async function* mapRows<Row, To>(rows: AsyncIterable<Row>, map: (row: Row) => To): AsyncGenerator<To> {
  for await (const row of rows) yield map(row)
}
