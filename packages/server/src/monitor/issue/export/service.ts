import type { IssueSelection } from '@clearway/contract/monitor/issue/bulk/schema.ts'
import type { BlobAnswer, Caller } from '../../../kit/http/answer.ts'
import { type Cell, csvStream, listStream, mapRows, type Portions } from '../../../kit/csv/write.ts'
import { xlsxStream } from '../../../kit/xlsx.ts'
import { allowedScans } from '../../access/store.ts'
import type { MonitorDb } from '../../database.ts'
import { runsInView } from '../../page/store.ts'
import {
  briefColumns,
  cellsOf,
  detailedColumns,
  earlAssertion,
  type ExportDetail,
  exportedIssue,
  type ExportRow,
  junitCase,
  namesOf,
  sarifResult,
  sarifRule,
} from './model.ts'
import { selectionOf } from '../bulk/service.ts'
import { exportedRules, streamExport } from './store.ts'
import type { SelectedIssues } from '../bulk/store.ts'

type Deps = { db: MonitorDb }
export type IssueFormat = 'csv' | 'csv-detailed' | 'json' | 'xlsx' | 'sarif' | 'junit' | 'earl'
type Rows = Portions<ExportRow>
type Writer = (rows: Rows, deps: Deps, selected: SelectedIssues) => AsyncIterable<string | Uint8Array>

const asJson = <Row>(rows: Portions<Row>, map: (row: Row) => unknown) =>
  mapRows(rows, (row) => JSON.stringify(map(row)))
const table = (rows: Rows, columns: typeof briefColumns): Portions<Cell[]> => mapRows(rows, cellsOf(columns))

async function* withFirst(first: object, rest: Portions<string>): AsyncGenerator<readonly string[]> {
  let before = [JSON.stringify(first)]
  for await (const portion of rest) {
    yield [...before, ...portion]
    before = []
  }
  if (before.length > 0) yield before
}

async function* sarif(rows: Rows, deps: Deps, selected: SelectedIssues): AsyncGenerator<string> {
  const rules = (await exportedRules(deps.db, selected)).map(sarifRule)
  const driver = { name: 'Clearway', rules }
  yield* listStream(
    `{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":${JSON.stringify({ driver })},"results":[\n`,
    asJson(rows, sarifResult),
    '\n]}]}\n',
  )
}

const earlContext = {
  '@vocab': 'http://www.w3.org/ns/earl#',
  earl: 'http://www.w3.org/ns/earl#',
  title: 'http://purl.org/dc/terms/title',
  description: 'http://purl.org/dc/terms/description',
  source: { '@id': 'http://purl.org/dc/terms/source', '@type': '@id' },
  date: 'http://purl.org/dc/terms/date',
  relation: { '@id': 'http://purl.org/dc/terms/relation', '@type': '@id' },
  CSSSelectorPointer: 'http://www.w3.org/2009/pointers#CSSSelectorPointer',
  expression: 'http://www.w3.org/2009/pointers#expression',
  pointer: { '@type': '@id' },
  mode: { '@type': '@id' },
  outcome: { '@type': '@id' },
  assertedBy: { '@type': '@id' },
}

/** Every format: what writes it, its type and the end of its file name. */
const formats: Readonly<
  Record<IssueFormat, { detail: ExportDetail; type: string; end: string; write: Writer }>
> = {
  csv: {
    detail: 'brief',
    type: 'text/csv; charset=utf-8',
    end: 'csv',
    write: (rows) => csvStream(namesOf(briefColumns), table(rows, briefColumns)),
  },
  'csv-detailed': {
    detail: 'detailed',
    type: 'text/csv; charset=utf-8',
    end: 'csv',
    write: (rows) => csvStream(namesOf(detailedColumns), table(rows, detailedColumns)),
  },
  json: {
    detail: 'whole',
    type: 'application/json; charset=utf-8',
    end: 'json',
    write: (rows) =>
      listStream(
        `{"format":"clearway-issues","version":1,"exportedAt":"${new Date().toISOString()}","issues":[\n`,
        asJson(rows, exportedIssue),
        '\n]}\n',
      ),
  },
  xlsx: {
    detail: 'detailed',
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    end: 'xlsx',
    write: (rows) => xlsxStream('Issues', namesOf(detailedColumns), table(rows, detailedColumns)),
  },
  sarif: { detail: 'detailed', type: 'application/sarif+json', end: 'sarif', write: sarif },
  junit: {
    detail: 'detailed',
    type: 'application/xml; charset=utf-8',
    end: 'xml',
    write: (rows) =>
      listStream(
        '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="Clearway"><testsuite name="Accessibility">\n',
        mapRows(rows, junitCase),
        '\n</testsuite></testsuites>\n',
        '\n',
      ),
  },
  earl: {
    detail: 'detailed',
    type: 'application/ld+json',
    end: 'jsonld',
    write: (rows) =>
      listStream(
        `{"@context":${JSON.stringify(earlContext)},"@graph":[\n`,
        withFirst(
          { '@id': '#clearway', '@type': 'Software', title: 'Clearway' },
          asJson(rows, earlAssertion),
        ),
        '\n]}\n',
      ),
  },
}

/** Sends a list on as a file. */
const attachment = (bytes: BlobAnswer['bytes'], file: { name: string; type: string }): BlobAnswer => ({
  bytes,
  type: file.type,
  headers: { 'content-disposition': `attachment; filename="${file.name}"` },
})

/** Everything that is selected and that the caller may export, as it comes from the database. */
export function exportIssues(
  deps: Deps,
  caller: Caller,
  body: IssueSelection,
  format: IssueFormat,
): Promise<BlobAnswer> {
  const { detail, type, end, write } = formats[format]
  const visible = allowedScans(caller, 'scan.export')
  const selected = { ...selectionOf(caller, body), visible, runs: runsInView(visible, body.filters) }
  const bytes = write(streamExport(deps.db, selected, detail), deps, selected)
  return Promise.resolve(attachment(bytes, { name: `issues.${end}`, type }))
}
