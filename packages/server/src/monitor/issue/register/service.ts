import type { ScanId, IssueId } from '@clearway/contract/kit/id.ts'
import type { IgnoreFilter, IgnorePatch, IgnoreQuery, RegisteredIgnore } from '@clearway/contract/monitor/issue/ignore/schema.ts'
import { type CsvCell, mapRows, streamCsv, streamList } from '../../../kit/csv/write.ts'
import { type BlobReply, type Caller, refuse } from '../../../kit/http/answer.ts'
import { inTransaction } from '../../../kit/database.ts'
import { buildPageReply } from '../../../kit/paging.ts'
import { allowedScans, visibleScans } from '../../access/store.ts'
import { formerMemberName } from '../../access/table.ts'
import { insertEntry } from '../../audit/store.ts'
import type { MonitorDb } from '../../database.ts'
import { deleteIgnore, expireSomeIgnores, listIgnores, maxEndedAtOnce, updateIgnore } from '../ignore/store.ts'
import { type ExportedIgnore, listDecisions, listRegisterChoices, type RegisterRow, streamRegister } from './store.ts'

type RegisterDeps = { db: MonitorDb }
type IgnorePath = { id: string; ignore: string }

type Decision = { authorId: string; author: string | null; createdAt: Date; until: Date | null }
const presentDecision = <Row extends Decision>({ authorId, author, createdAt, until, ...otherValues }: Row) => ({
  ...otherValues,
  author: { id: authorId, name: author },
  createdAt: createdAt.toISOString(),
  until: until?.toISOString() ?? null,
})

const toRegisterReply = (row: RegisterRow): RegisteredIgnore => ({
  ...presentDecision(row),
  scanId: row.scanId as ScanId,
  issueId: row.issueId as IssueId | null,
})

export async function listVisibleIgnores(deps: RegisterDeps, caller: Caller, query: IgnoreQuery) {
  const { rows: registerRows, total } = await listDecisions(deps.db, visibleScans(caller), query)
  return buildPageReply(registerRows.map(toRegisterReply), total, query)
}

export async function listChoices(deps: RegisterDeps, caller: Caller) {
  const { scans, ...choices } = await listRegisterChoices(deps.db, visibleScans(caller))
  return { ...choices, scans: scans.map(({ id, name }) => ({ id: id as ScanId, name })) }
}

export const listScanIgnores = async (deps: RegisterDeps, scanId: string) => ({
  content: (await listIgnores(deps, scanId)).map(presentDecision),
})

const noFilters: IgnoreQuery = { page: 0, size: 1, scanId: [], rule: [], author: [], sort: [] }

export async function changeIgnore(deps: RegisterDeps, caller: Caller, path: IgnorePath, patch: IgnorePatch) {
  if (!(await updateIgnore(deps, path, patch))) return refuse('not-found')
  const { rows: registerRows } = await listDecisions(deps.db, visibleScans(caller), { ...noFilters, id: path.ignore })
  const [registerRow] = registerRows
  return registerRow ? toRegisterReply(registerRow) : refuse('not-found')
}

export const endIgnore = async (deps: RegisterDeps, path: IgnorePath) =>
  (await deleteIgnore(deps, path)) ? undefined : refuse('not-found')

/** Ends a part of the ignores that have reached their date, each with an entry in the audit log. */
const expirePart = (deps: RegisterDeps): Promise<number> =>
  inTransaction(deps.db, async (trx) => {
    const expiredIgnores = await expireSomeIgnores(trx)
    for (const { id, scanId, until, isFirst, issues } of expiredIgnores)
      if (isFirst || issues > 0)
        await insertEntry(trx, {
          action: 'changed',
          noun: 'ignore',
          subject: id,
          scanId,
          actor: null,
          address: null,
          requestId: null,
          before: { until: until.toISOString() },
          after: { expired: true, issues },
        })
    return expiredIgnores.length
  })

export async function expireIgnores(deps: RegisterDeps): Promise<void> {
  while ((await expirePart(deps)) === maxEndedAtOnce);
}

const exportColumns: readonly [string, (row: ExportedIgnore) => CsvCell][] = [
  ['Scan', ({ scanName }) => scanName],
  ['Scan id', ({ scanId }) => scanId],
  ['Rule', ({ rule }) => rule],
  ['Page', ({ pageUrl }) => pageUrl],
  ['Selector', ({ selector }) => selector],
  ['Issue id', ({ issueId }) => issueId],
  ['Scope', ({ scope }) => scope],
  ['Reason', ({ reason }) => reason],
  ['Ignored by', ({ author }) => author ?? formerMemberName],
  ['Ignored at', ({ createdAt }) => createdAt.toISOString()],
  ['Ignored until', ({ until }) => until?.toISOString() ?? null],
  ['Ignore id', ({ id }) => id],
]
/** The register as a file, a row for each ignored issue. */
export function exportRegister(deps: RegisterDeps, caller: Caller, filter: IgnoreFilter, format: 'csv' | 'json'): BlobReply {
  const exportRows = streamRegister(deps.db, allowedScans(caller, 'scan.export'), filter)
  const bytes =
    format === 'csv'
      ? streamCsv(
          exportColumns.map(([name]) => name),
          mapRows(exportRows, (row) => exportColumns.map(([, toCell]) => toCell(row))),
        )
      : streamList(
          '[\n',
          mapRows(exportRows, (row) => JSON.stringify(presentDecision(row))),
          '\n]\n',
        )
  return {
    bytes,
    type: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8',
    headers: { 'content-disposition': `attachment; filename="ignored-issues.${format}"` },
  }
}
