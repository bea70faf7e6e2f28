import { CsvError, parse } from 'csv-parse/sync'

/** What is wrong with a file as a whole; `value` is the column that is missing, or how many rows it may have. */
export type CsvFault = {
  line: number
  code: 'empty' | 'unreadable' | 'missing-column' | 'too-many-rows'
  value: string
}
export type CsvRow = {
  line: number
  /** The text of a column by its name in the head; empty where the row or the file has none. */
  cell: (column: string) => string
}
type CsvRecord = { record: string[]; info: { lines: number } }

const fault = (line: number, code: CsvFault['code'], value = ''): CsvFault => ({ line, code, value })

function recordsOf(content: string, maxRows: number): CsvRecord[] | CsvFault {
  const head = content.split(/\r?\n/, 1)[0] ?? ''
  try {
    return parse(content, {
      bom: true,
      delimiter: head.includes(';') && !head.includes(',') ? ';' : ',',
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      // One more than may be, and the head.
      to: maxRows + 2,
    }) as unknown as CsvRecord[]
  } catch (error) {
    return fault(error instanceof CsvError && typeof error.lines === 'number' ? error.lines : 1, 'unreadable')
  }
}

/** The rows of a CSV file with a head (commas or semicolons, UTF-8 with or without its mark), or what is wrong with it. */
export function readCsv(
  content: string,
  { required, maxRows }: { required: readonly string[]; maxRows: number },
): { rows: CsvRow[] } | { faults: CsvFault[] } {
  if (content.replace(/^\uFEFF/, '').trim() === '') return { faults: [fault(1, 'empty')] }
  const records = recordsOf(content, maxRows)
  if (!Array.isArray(records)) return { faults: [records] }
  const [head, ...body] = records
  const names = (head?.record ?? []).map((name) => name.toLowerCase().replaceAll(/[\s_-]+/g, ' '))
  const missing = required.filter((column) => !names.includes(column))
  if (missing.length > 0) return { faults: missing.map((column) => fault(1, 'missing-column', column)) }
  if (body.length === 0) return { faults: [fault(1, 'empty')] }
  if (body.length > maxRows) return { faults: [fault(maxRows + 2, 'too-many-rows', String(maxRows))] }
  return {
    rows: body.map(({ record, info }) => ({
      line: info.lines,
      cell: (column) => record[names.indexOf(column)] ?? '',
    })),
  }
}
