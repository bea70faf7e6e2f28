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

function parseRecords(content: string, maxRows: number): CsvRecord[] | CsvFault {
  const headerLine = content.split(/\r?\n/, 1)[0] ?? ''
  try {
    return parse(content, {
      bom: true,
      delimiter: headerLine.includes(';') && !headerLine.includes(',') ? ';' : ',',
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      // The header and one row more than allowed.
      to: maxRows + 2,
    }) as unknown as CsvRecord[]
  } catch (error) {
    return createCsvFault(error instanceof CsvError && typeof error.lines === 'number' ? error.lines : 1, 'unreadable')
  }
}

/** Reads a CSV file with a header (commas or semicolons, UTF-8 with or without BOM). Returns its rows or its faults. */
export function readCsv(
  content: string,
  { required, maxRows }: { required: readonly string[]; maxRows: number },
): { rows: CsvRow[] } | { faults: CsvFault[] } {
  if (content.replace(/^\uFEFF/, '').trim() === '') return { faults: [createCsvFault(1, 'empty')] }
  const parsedRecords = parseRecords(content, maxRows)
  if (!Array.isArray(parsedRecords)) return { faults: [parsedRecords] }
  const [header, ...dataRecords] = parsedRecords
  const columnNames = (header?.record ?? []).map((columnName) => columnName.toLowerCase().replaceAll(/[\s_-]+/g, ' '))
  const missingColumns = required.filter((column) => !columnNames.includes(column))
  if (missingColumns.length > 0) return { faults: missingColumns.map((column) => createCsvFault(1, 'missing-column', column)) }
  if (dataRecords.length === 0) return { faults: [createCsvFault(1, 'empty')] }
  if (dataRecords.length > maxRows) return { faults: [createCsvFault(maxRows + 2, 'too-many-rows', String(maxRows))] }
  return {
    rows: dataRecords.map(({ record, info }) => ({
      line: info.lines,
      cell: (column) => record[columnNames.indexOf(column)] ?? '',
    })),
  }
}
