import type { IssueSelection } from '@clearway/contract/monitor/issue/bulk/schema.ts'
import type { BlobReply, Caller } from '../../../kit/http/answer.ts'
import { type CsvCell, streamCsv, streamList, mapRows, type RowBatches } from '../../../kit/csv/write.ts'
import { streamXlsx } from '../../../kit/xlsx.ts'
import { allowedScans } from '../../access/store.ts'
import type { MonitorDb } from '../../database.ts'
import { runsInView } from '../../page/store.ts'
import {
  briefColumns,
  createRowMapper,
  detailedColumns,
  toEarlAssertion,
  type ExportDetail,
  toExportedIssue,
  type ExportRow,
  toJunitCase,
  getColumnNames,
  toSarifResult,
  toSarifRule,
} from './model.ts'
import { toSelection } from '../bulk/service.ts'
import { listExportedRules, streamExport } from './store.ts'
import type { SelectedIssues } from '../selection/store.ts'

type ExportDeps = { db: MonitorDb }
export type IssueFormat = 'csv' | 'csv-detailed' | 'json' | 'xlsx' | 'sarif' | 'junit' | 'earl'
type ExportRows = RowBatches<ExportRow>
type ExportWriter = (rows: ExportRows, deps: ExportDeps, selected: SelectedIssues) => AsyncIterable<string | Uint8Array>

const mapToJson = <RowType>(rows: RowBatches<RowType>, map: (row: RowType) => unknown) =>
  mapRows(rows, (row) => JSON.stringify(map(row)))
const mapToCells = (rows: ExportRows, columns: typeof briefColumns): RowBatches<CsvCell[]> =>
  mapRows(rows, createRowMapper(columns))

async function* prependObject(firstObject: object, followingTexts: RowBatches<string>): AsyncGenerator<readonly string[]> {
  let pendingTexts = [JSON.stringify(firstObject)]
  for await (const textChunk of followingTexts) {
    yield [...pendingTexts, ...textChunk]
    pendingTexts = []
  }
  if (pendingTexts.length > 0) yield pendingTexts
}

async function* writeSarif(rows: ExportRows, deps: ExportDeps, selected: SelectedIssues): AsyncGenerator<string> {
  const sarifRules = (await listExportedRules(deps.db, selected)).map(toSarifRule)
  const toolDriver = { name: 'Clearway', rules: sarifRules }
  yield* streamList(
    `{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":${JSON.stringify({ driver: toolDriver })},"results":[\n`,
    mapToJson(rows, toSarifResult),
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

const exportFormats: Readonly<
  Record<IssueFormat, { detail: ExportDetail; type: string; extension: string; write: ExportWriter }>
> = {
  csv: {
    detail: 'brief',
    type: 'text/csv; charset=utf-8',
    extension: 'csv',
    write: (rows) => streamCsv(getColumnNames(briefColumns), mapToCells(rows, briefColumns)),
  },
  'csv-detailed': {
    detail: 'detailed',
    type: 'text/csv; charset=utf-8',
    extension: 'csv',
    write: (rows) => streamCsv(getColumnNames(detailedColumns), mapToCells(rows, detailedColumns)),
  },
  json: {
    detail: 'whole',
    type: 'application/json; charset=utf-8',
    extension: 'json',
    write: (rows) =>
      streamList(
        `{"format":"clearway-issues","version":1,"exportedAt":"${new Date().toISOString()}","issues":[\n`,
        mapToJson(rows, toExportedIssue),
        '\n]}\n',
      ),
  },
  xlsx: {
    detail: 'detailed',
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extension: 'xlsx',
    write: (rows) => streamXlsx('Issues', getColumnNames(detailedColumns), mapToCells(rows, detailedColumns)),
  },
  sarif: { detail: 'detailed', type: 'application/sarif+json', extension: 'sarif', write: writeSarif },
  junit: {
    detail: 'detailed',
    type: 'application/xml; charset=utf-8',
    extension: 'xml',
    write: (rows) =>
      streamList(
        '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="Clearway"><testsuite name="Accessibility">\n',
        mapRows(rows, toJunitCase),
        '\n</testsuite></testsuites>\n',
        '\n',
      ),
  },
  earl: {
    detail: 'detailed',
    type: 'application/ld+json',
    extension: 'jsonld',
    write: (rows) =>
      streamList(
        `{"@context":${JSON.stringify(earlContext)},"@graph":[\n`,
        prependObject({ '@id': '#clearway', '@type': 'Software', title: 'Clearway' }, mapToJson(rows, toEarlAssertion)),
        '\n]}\n',
      ),
  },
}

const createAttachment = (bytes: BlobReply['bytes'], file: { name: string; type: string }): BlobReply => ({
  bytes,
  type: file.type,
  headers: { 'content-disposition': `attachment; filename="${file.name}"` },
})

/** Streams all selected issues that the caller may export from the database. */
export function exportIssues(deps: ExportDeps, caller: Caller, body: IssueSelection, format: IssueFormat): Promise<BlobReply> {
  const { detail: detailLevel, type: contentType, extension, write: writeExport } = exportFormats[format]
  const exportableScans = allowedScans(caller, 'scan.export')
  const selectedIssues = {
    ...toSelection(caller, body),
    visible: exportableScans,
    runs: runsInView(exportableScans, body.filters),
  }
  const exportStream = writeExport(streamExport(deps.db, selectedIssues, detailLevel), deps, selectedIssues)
  return Promise.resolve(createAttachment(exportStream, { name: `issues.${extension}`, type: contentType }))
}
