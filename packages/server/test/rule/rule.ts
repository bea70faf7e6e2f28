import { buildScanBody } from '../api.ts'
import type { World } from '../world.ts'

type Body = object | ((world: World) => object) | undefined
/** What a refusal says: the field and its code, or the code of the problem, of a validation, of an upload or import. */
export type Refused =
  | { path: string; code: string }
  | { problem: string; status: number }
  | { validation: string; message?: string }
  | { upload: string }
  | { imported: string; message?: string }

/** A file of an upload. */
export type RuleFile = { type?: string; text: string }

/** A rule by its clause in `sentences.ts`: a call that breaks it, what the server says, and the nearest call that keeps it. */
export type Rule = {
  clause: string
  call: string
  bad: Body
  good: Body
  refused: Refused
  files?: { bad: readonly RuleFile[]; good: readonly RuleFile[] }
}

let made = 0
/** Settings of a scan with a name that nobody else has. */
const scan = (more: object) => buildScanBody(`Rule ${(made += 1)}`, more as Record<string, unknown>)

/** A rule about a field of a scan. */
export const ofScan = (clause: string, path: string, code: string, bad: object, good: object): Rule => ({
  clause,
  call: 'POST /scans',
  refused: { path, code },
  bad: () => scan(bad),
  good: () => scan(good),
})

/** A rule about a field of any other call. */
export const ofCall = (
  clause: string,
  call: string,
  path: string,
  code: string,
  bad: Body,
  good: Body,
): Rule => ({ clause, call, refused: { path, code }, bad, good })

/** A rule that a validate call answers. */
export const ofValidation = (
  clause: string,
  call: string,
  validation: string,
  bad: Body,
  good: Body,
  message?: string,
): Rule => ({
  clause,
  call,
  refused: { validation, ...(message !== undefined && { message }) },
  bad,
  good,
})

/** A name that is taken. */
export const ofName = (clause: string, call: string, bad: Body, good: Body): Rule => ({
  clause,
  call,
  refused: { problem: 'name-taken', status: 409 },
  bad,
  good,
})

/** A rule about uploaded files. */
export const ofUpload = (
  clause: string,
  upload: string,
  bad: readonly RuleFile[],
  good: readonly RuleFile[],
): Rule => ({
  clause,
  call: 'POST /scans/{id}/runs/1/axeIssues',
  refused: { upload },
  bad: undefined,
  good: undefined,
  files: { bad, good },
})

/** A rule about a CSV file of team access; the good file is the same for all. */
export const ofImport = (
  clause: string,
  imported: string,
  row: (world: World) => string,
  message?: string,
): Rule => ({
  clause,
  call: 'POST /team-access/import',
  refused: { imported, ...(message !== undefined && { message }) },
  bad: (world) => csv(row(world)),
  good: () => csv('Editors,Another world,,Scan Viewer'),
})
const csv = (row: string) => ({ filename: 'access.csv', content: `team,scan,scan group,role\n${row}\n` })
