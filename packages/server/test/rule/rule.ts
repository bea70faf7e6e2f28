import { buildScanBody } from '../api.ts'
import type { World } from '../world.ts'

type Body = object | ((world: World) => object) | undefined
/** Expected refusal: the field and its code, or the code of the problem, of a validation, of an upload or import. */
export type Refused =
  | { path: string; code: string }
  | { problem: string; status: number }
  | { validation: string; message?: string }
  | { upload: string }
  | { imported: string; message?: string }

/** A file of an upload. */
export type RuleFile = { type?: string; text: string }

/** A rule by its clause in `sentences.ts`: a call that violates it, the server's response, and the nearest valid call. */
export type Rule = {
  clause: string
  call: string
  bad: Body
  good: Body
  refused: Refused
  files?: { bad: readonly RuleFile[]; good: readonly RuleFile[] }
}

let createdCount = 0
/** Returns settings of a scan with a unique name. */
const buildScan = (extraSettings: object) =>
  buildScanBody(`Rule ${(createdCount += 1)}`, extraSettings as Record<string, unknown>)

/** Builds a rule about a field of a scan. */
export const buildScanRule = (clause: string, path: string, code: string, bad: object, good: object): Rule => ({
  clause,
  call: 'POST /scans',
  refused: { path, code },
  bad: () => buildScan(bad),
  good: () => buildScan(good),
})

/** Builds a rule about a field of any other call. */
export const buildCallRule = (clause: string, call: string, path: string, code: string, bad: Body, good: Body): Rule => ({
  clause,
  call,
  refused: { path, code },
  bad,
  good,
})

/** Builds a rule that a validate call reports. */
export const buildValidationRule = (
  clause: string,
  call: string,
  validation: string,
  bad: Body,
  good: Body,
  message?: string,
): Rule => ({ clause, call, refused: { validation, ...(message !== undefined && { message }) }, bad, good })

/** Builds a rule about a name that is already taken. */
export const buildNameRule = (clause: string, call: string, bad: Body, good: Body): Rule => ({
  clause,
  call,
  refused: { problem: 'name-taken', status: 409 },
  bad,
  good,
})

/** Builds a rule about uploaded files. */
export const buildUploadRule = (clause: string, upload: string, bad: readonly RuleFile[], good: readonly RuleFile[]): Rule => ({
  clause,
  call: 'POST /scans/{id}/runs/1/axeIssues',
  refused: { upload },
  bad: undefined,
  good: undefined,
  files: { bad, good },
})

/** Builds a rule about a CSV file of team access; the valid file is the same for all. */
export const buildImportRule = (
  clause: string,
  imported: string,
  buildRow: (world: World) => string,
  message?: string,
): Rule => ({
  clause,
  call: 'POST /team-access/import',
  refused: { imported, ...(message !== undefined && { message }) },
  bad: (world) => buildCsv(buildRow(world)),
  good: () => buildCsv('Editors,Another world,,Scan Viewer'),
})
const buildCsv = (csvRow: string) => ({
  filename: 'access.csv',
  content: `team,scan,scan group,role\n${csvRow}\n`,
})
