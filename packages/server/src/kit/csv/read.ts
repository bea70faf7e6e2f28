import { CsvError, parse } from 'csv-parse/sync'

/** A fault of the whole file; `value` is the missing column, or the maximum number of rows. */
export type CsvFault = { line: number; code: 'empty' | 'unreadable' | 'missing-column' | 'too-many-rows'; value: string }
export type CsvRow = {
  line: number
  /** The text of a column by its header name; empty if the row or the file lacks it. */
  cell: (column: string) => string
}
type CsvRecord = { record: string[]; info: { lines: number } }

const createCsvFault = (line: number, code: CsvFault['code'], value = ''): CsvFault => ({ line, code, value })

const delimiters = [',', ';', '\t'] as const

const findDelimiter = (headerLine: string): string =>
  delimiters.reduce((best, delimiter) => (headerLine.split(delimiter).length > headerLine.split(best).length ? delimiter : best))

/** Composes the characters of a cell, as file names and spreadsheets may not, and replaces unusual spaces. */
const normalizeCell = (cellText: string): string =>
  cellText
    .normalize('NFC')
    .replaceAll(/\p{Zs}+/gu, ' ')
    .trim()

/** A first line of spreadsheets that names the separator. */
const separatorLine = /^sep=(.)(?=[\r\n])/

function parseRecords(fileText: string, maxRows: number): CsvRecord[] | CsvFault {
  // The emptied line still counts for the numbers of lines.
  const content = fileText.replace(separatorLine, '')
  const delimiter = separatorLine.exec(fileText)?.[1] ?? findDelimiter(/[^\r\n]+/.exec(content)?.[0] ?? '')
  try {
    return parse(content, {
      delimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      // Around a tab, there would be no empty cells.
      trim: delimiter !== '\t',
      // The header and one row more than allowed.
      to: maxRows + 2,
    }) as unknown as CsvRecord[]
  } catch (error) {
    return createCsvFault(error instanceof CsvError && typeof error.lines === 'number' ? error.lines : 1, 'unreadable')
  }
}

/** Reads a CSV file with a header: commas, semicolons or tabs, or the separator that it names. Returns its rows or its faults. */
export function readCsv(
  content: string,
  { required, maxRows }: { required: readonly string[]; maxRows: number },
): { rows: CsvRow[] } | { faults: CsvFault[] } {
  const fileText = content.replace(/^\uFEFF/, '')
  if (fileText.trim() === '') return { faults: [createCsvFault(1, 'empty')] }
  const parsedRecords = parseRecords(fileText, maxRows)
  if (!Array.isArray(parsedRecords)) return { faults: [parsedRecords] }
  const [header, ...dataRecords] = parsedRecords
  const columnNames = (header?.record ?? []).map((columnName) =>
    normalizeCell(columnName)
      .toLowerCase()
      .replaceAll(/[\s_-]+/g, ' '),
  )
  const missingColumns = required.filter((column) => !columnNames.includes(column))
  if (missingColumns.length > 0) return { faults: missingColumns.map((column) => createCsvFault(1, 'missing-column', column)) }
  if (dataRecords.length === 0) return { faults: [createCsvFault(1, 'empty')] }
  if (dataRecords.length > maxRows) return { faults: [createCsvFault(maxRows + 2, 'too-many-rows', String(maxRows))] }
  return {
    rows: dataRecords.map(({ record, info }) => ({
      line: info.lines,
      cell: (column) => normalizeCell(record[columnNames.indexOf(column)] ?? ''),
    })),
  }
}
