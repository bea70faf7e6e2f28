import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import type { ReportFormat } from './options.ts'
import { describeFileProblem, WrongArgument } from './wrong-argument.ts'

/** A report to write; standard output without a file. */
export type ReportOutput = { format: ReportFormat; file: string | null }

const formatsByExtension: ReadonlyMap<string, ReportFormat> = new Map([
  ['.html', 'html'],
  ['.htm', 'html'],
  ['.md', 'markdown'],
  ['.json', 'json'],
  ['.sarif', 'sarif'],
  ['.xml', 'junit'],
  ['.txt', 'text'],
])

/** Names of files that tell more than their extension. */
const formatsByName: readonly (readonly [RegExp, ReportFormat])[] = [
  [/\.sarif\.json$/i, 'sarif'],
  [/(^|[\\/])gl-accessibility(-report)?\.json$/i, 'gitlab-accessibility'],
  [/(^|[\\/])gl-code-?quality(-report)?\.json$/i, 'gitlab-codequality'],
]

const findFormat = (file: string): ReportFormat | undefined =>
  formatsByName.find(([pattern]) => pattern.test(file))?.[1] ?? formatsByExtension.get(extname(file).toLowerCase())

/**
 * Resolves the outputs. A format that is named applies to a single output, and among several to those whose extension tells none.
 * @param files paths; `-` is standard output
 * @throws WrongArgument for a folder that does not exist, before anything is scanned
 */
export function resolveOutputs(format: ReportFormat | null, files: readonly string[]): ReportOutput[] {
  if (files.length === 0) return [{ format: format ?? 'text', file: null }]
  const unwritableFile = files.find((file) => file !== '-' && !existsSync(dirname(file)))
  if (unwritableFile !== undefined)
    throw new WrongArgument(`--output cannot write ${unwritableFile}: there is no folder ${dirname(unwritableFile)}.`)
  if (new Set(files).size < files.length) throw new WrongArgument('--output names the same file twice.')
  return files.map((file) => ({
    format: (files.length === 1 ? format : null) ?? findFormat(file) ?? format ?? 'text',
    file: file === '-' ? null : file,
  }))
}

/** Only the report for browsers has pictures. */
export const needsPictures = (outputs: readonly ReportOutput[]): boolean => outputs.some(({ format }) => format === 'html')

/** Reasons why no file can be created or replaced in a folder, although the file itself may be writable. */
const replaceProblems: ReadonlySet<string | undefined> = new Set(['EACCES', 'EBUSY', 'EPERM', 'EXDEV'])

/** Writes a file whole or not at all: a full disk leaves an earlier baseline as it was. Devices and pipes are written directly. */
function writeWhole(file: string, text: string): void {
  const target = existsSync(file) ? realpathSync(file) : file
  const stats = statSync(target, { throwIfNoEntry: false })
  if (stats && !stats.isFile()) return writeFileSync(target, text)
  const partFile = join(dirname(target), `.${randomUUID()}.part`)
  try {
    writeFileSync(partFile, text, { flag: 'wx' })
    // The mode of a new file is reduced by the mask of the process.
    if (stats) chmodSync(partFile, stats.mode)
    renameSync(partFile, target)
  } catch (error) {
    rmSync(partFile, { force: true })
    if (!replaceProblems.has((error as NodeJS.ErrnoException).code)) throw error
    writeFileSync(target, text)
  }
  return undefined
}

/** Writes a report. Returns false if it cannot be written, and says why. */
export function writeReport(reportText: string, file: string | null): boolean {
  if (file === null) return process.stdout.write(reportText) || true
  try {
    writeWhole(file, reportText)
    return true
  } catch (error) {
    process.stderr.write(`The report cannot be written to ${file}: ${describeFileProblem(error)}.\n`)
    return false
  }
}
