import type { ProductLimits } from '@clearway/contract/kit/limit.ts'
import type { ImportBody, ImportReply } from '@clearway/contract/monitor/access/schema.ts'
import type * as z from 'zod/mini'
import { runInThread } from '../../../kit/thread-pool.ts'
import { type Refusal, refuse } from '../../../kit/http/answer.ts'
import { resolveGrants, type ImportError, parseImportRows } from './model.ts'
import { accessChangedRefusal, type Requester, type GrantDeps } from '../grant/service.ts'
import { readCurrentRoles, findNamedTargets, writeGrants } from '../grant/store.ts'

const importModelUrl = new URL('./model.ts', import.meta.url).href

/** Keeps the reply small when every line of a file is wrong. */
const maxReportedErrors = 1000

/** Imports the roles of a CSV file: all, or none and every error with its line. With `check`, only reports the outcome. */
export async function importTeamAccess(
  deps: GrantDeps & { limits: ProductLimits },
  requester: Requester,
  importFile: z.output<typeof ImportBody>,
): Promise<ImportReply | Refusal> {
  const maxLength = deps.limits.importLength
  if (importFile.content.length > maxLength)
    return refuse('validation-failed', { errors: [{ path: 'content', code: 'too-long', params: { max: maxLength } }] })
  const createFailedReply = (errors: ImportError[]): ImportReply => ({
    success: false,
    errorMessage: `Upload failed in ${importFile.filename}`,
    errors: errors.slice(0, maxReportedErrors),
  })
  const parsedRows = await runInThread(parseImportRows, importModelUrl, importFile.content, deps.limits.importRows)
  if ('errors' in parsedRows) return createFailedReply(parsedRows.errors)
  const uniqueWords = (words: string[]) => [...new Set(words.filter((word) => word !== ''))]
  const [knownTeams, matchedTargets] = await Promise.all([
    deps.accounts.teams(requester),
    findNamedTargets(deps, {
      scans: uniqueWords(parsedRows.rows.map((row) => row.scan)),
      groups: uniqueWords(parsedRows.rows.map((row) => row.group)),
    }),
  ])
  const { grants: importGrants, errors: importErrors } = resolveGrants(parsedRows.rows, { teams: knownTeams, ...matchedTargets })
  if (importErrors.length > 0) return createFailedReply(importErrors)
  const { roles: previousRoles, version } = await readCurrentRoles(deps, importGrants)
  if (!importFile.check && (await writeGrants(deps, importGrants, importFile.version)) === 'edit-conflict')
    return accessChangedRefusal
  const mapNamesById = (list: readonly { id: string; name: string }[]) => new Map(list.map(({ id, name }) => [id, name]))
  const namesById = {
    teams: mapNamesById(knownTeams),
    scans: mapNamesById(matchedTargets.scans),
    groups: mapNamesById(matchedTargets.groups),
  }
  return {
    success: true,
    imported: importFile.check ? 0 : importGrants.length,
    version,
    lines: importGrants.map(({ teamId, scanId, groupId, role, line }, i) => ({
      line,
      team: namesById.teams.get(teamId) ?? teamId,
      scan: scanId && (namesById.scans.get(scanId) ?? scanId),
      scanGroup: groupId && (namesById.groups.get(groupId) ?? groupId),
      role,
      before: previousRoles[i] ?? null,
    })),
  }
}
