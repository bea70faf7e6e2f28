export type Cell = string | number | null

/** A spreadsheet takes a cell that begins so for a formula; a page could write one. */
const formula = /^[\s\uFEFF]*[=+\-@|\t\r\uFF1D\uFF0B\uFF0D\uFF20]/

/** Whether a sign can begin no formula: digits, letters and what is around them. Most cells are seen through at once. */
const isPlain = (code: number): boolean => (code >= 0x30 && code <= 0x3c) || (code > 0x40 && code < 0x7c)

/** One cell after RFC 4180; what a spreadsheet would calculate begins with an apostrophe. */
function csvCell(value: Cell): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = !isPlain(value.charCodeAt(0)) && formula.test(value) ? `'${value}` : value
  return /[",;\r\n\t']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
function line(cells: readonly Cell[]): string {
  let text = csvCell(cells[0] ?? null)
  for (let column = 1; column < cells.length; column++) text += `,${csvCell(cells[column]!)}`
  return `${text}\r\n`
}

/** Rows in the portions in which they come from the database: a wait for each row would cost more than the row. */
export type Portions<Row> = AsyncIterable<readonly Row[]>

/** To turn one text of many thousand pieces into bytes takes longer than many texts of fewer. */
const linesAtOnce = 100

/**
 * CSV as it goes out: UTF-8 with a mark for spreadsheets, a line of names, then the rows. Constant memory. Nothing goes out before the
 * first rows are there: until then a failure can still be told as one.
 */
export async function* csvStream(
  names: readonly string[],
  rows: Portions<readonly Cell[]>,
): AsyncGenerator<string> {
  let chunk = `\uFEFF${line(names)}`
  for await (const portion of rows)
    for (let from = 0; from < portion.length; from += linesAtOnce) {
      for (const row of portion.slice(from, from + linesAtOnce)) chunk += line(row)
      yield chunk
      chunk = ''
    }
  if (chunk !== '') yield chunk
}

/** Texts joined by commas between a beginning and an end, for JSON and the like. Nothing goes out before the first of them is there. */
export async function* listStream(
  begin: string,
  items: Portions<string>,
  end: string,
  separator = ',\n',
): AsyncGenerator<string> {
  let isFirst = true
  for await (const portion of items) {
    if (portion.length === 0) continue
    yield (isFirst ? begin : separator) + portion.join(separator)
    isFirst = false
  }
  yield isFirst ? begin + end : end
}

/** Each row as something else. */
export async function* mapRows<Row, To>(rows: Portions<Row>, map: (row: Row) => To): AsyncGenerator<To[]> {
  for await (const portion of rows) yield portion.map(map)
}
