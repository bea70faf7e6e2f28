import type { ImportReply } from '@clearway/contract/monitor/access/schema.ts'
import { grantsOf, type ImportError, readRows } from './model-import.ts'
import type { Asker, GrantDeps } from './service-grant.ts'
import { targetsNamed, writeGrants } from './store-grant.ts'

/** Enough to mend a file by; a file that is all wrong must not answer itself. */
const shownErrors = 1000

/** Gives the roles that a CSV file lists: all of them, or none and every fault with its line (section 8). */
export async function importTeamAccess(
  deps: GrantDeps,
  asker: Asker,
  file: { filename: string; content: string },
): Promise<ImportReply> {
  const failed = (errors: ImportError[]): ImportReply => ({
    success: false,
    errorMessage: `Upload failed in ${file.filename}`,
    errors: errors.slice(0, shownErrors),
  })
  const read = readRows(file.content)
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
  await writeGrants(deps, grants)
  return { success: true, imported: grants.length }
}
