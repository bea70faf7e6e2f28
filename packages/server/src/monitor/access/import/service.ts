import type { Limits } from '@clearway/contract/kit/limit.ts'
import type { ImportBody, ImportReply } from '@clearway/contract/monitor/access/schema.ts'
import type * as z from 'zod/mini'
import { inThread } from '../../../kit/thread-pool.ts'
import { type Refusal, refuse } from '../../../kit/http/answer.ts'
import { grantsOf, type ImportError, readRows } from './model.ts'
import { accessChanged, type Asker, type GrantDeps } from '../grant/service.ts'
import { rolesNow, targetsNamed, writeGrants } from '../grant/store.ts'

const rowReader = new URL('./model.ts', import.meta.url).href

/** Enough to fix a file by; a file that is all wrong must not answer itself. */
const shownErrors = 1000

/**
 * Gives the roles that a CSV file lists: all of them, or none and every fault with its line. With `check` it
 * only says what would become of each line.
 */
export async function importTeamAccess(
  deps: GrantDeps & { limits: Limits },
  asker: Asker,
  file: z.output<typeof ImportBody>,
): Promise<ImportReply | Refusal> {
  const max = deps.limits.importLength
  if (file.content.length > max)
    return refuse('validation-failed', { errors: [{ path: 'content', code: 'too-long', params: { max } }] })
  const failed = (errors: ImportError[]): ImportReply => ({
    success: false,
    errorMessage: `Upload failed in ${file.filename}`,
    errors: errors.slice(0, shownErrors),
  })
  const read = await inThread(readRows, rowReader, file.content, deps.limits.importRows)
  if ('errors' in read) return failed(read.errors)
  const unique = (list: string[]) => [...new Set(list.filter((word) => word !== ''))]
  const [teams, targets] = await Promise.all([
    deps.accounts.teams(asker.authorization),
    targetsNamed(deps, {
      scans: unique(read.rows.map((row) => row.scan)),
      groups: unique(read.rows.map((row) => row.group)),
    }),
  ])
  const { grants, errors } = grantsOf(read.rows, { teams, ...targets })
  if (errors.length > 0) return failed(errors)
  const { roles: before, version } = await rolesNow(deps, grants)
  if (!file.check && (await writeGrants(deps, grants, file.version)) === 'edit-conflict') return accessChanged
  const byId = (list: readonly { id: string; name: string }[]) =>
    new Map(list.map(({ id, name }) => [id, name]))
  const names = { teams: byId(teams), scans: byId(targets.scans), groups: byId(targets.groups) }
  return {
    success: true,
    imported: file.check ? 0 : grants.length,
    version,
    lines: grants.map(({ teamId, scanId, groupId, role, line }, i) => ({
      line,
      team: names.teams.get(teamId) ?? teamId,
      scan: scanId && (names.scans.get(scanId) ?? scanId),
      scanGroup: groupId && (names.groups.get(groupId) ?? groupId),
      role,
      before: before[i] ?? null,
    })),
  }
}
