import { readFile } from 'node:fs/promises'
import type { Limits } from '@clearway/contract/kit/limit.ts'
import type { UploadReply } from '@clearway/contract/monitor/issue/upload/schema.ts'
import { inThread } from '../../../kit/thread-pool.ts'
import type { Caller, Refusal, UploadedFile } from '../../../kit/http/answer.ts'
import type { MonitorDb } from '../../database.ts'
import { parseUpload, type UploadedPage, type UploadError } from '../../issue/upload/model.ts'
import { recountRuns } from '../../issue/recount/store.ts'
import { storeFindings } from '../../issue/finding/store.ts'
import { takeUpload } from '../../setting/service.ts'
import { type Asked, type RunDeps, withRun } from '../service.ts'
import { planRow } from '../store.ts'
import { storeUpload } from './store.ts'
import type { RunRow } from '../table.ts'

export type UploadDeps = { db: MonitorDb; limits: Limits }
type Problems = Pick<UploadReply, 'errors' | 'warnings'>

const refused = (errors: UploadReply['errors'], warnings: UploadReply['warnings'] = []): UploadReply => ({
  success: false,
  errorMessage: errors[0]?.message ?? null,
  pages: 0,
  issues: 0,
  errors,
  warnings,
})

/** How another release than the run's is taken: the same major one at most with a warning. */
function versionProblem(version: string, release: string): 'refused' | 'warned' | null {
  const [major, minor] = version.split('.')
  const [ownMajor, ownMinor] = release.split('.')
  if (major !== ownMajor) return 'refused'
  return minor === ownMinor ? null : 'warned'
}

const uploadReader = new URL('../../issue/upload/model.ts', import.meta.url).href
const megabytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MiB`

async function readFileOf(deps: UploadDeps, file: UploadedFile, release: string) {
  const no = (code: UploadError['code'], message: string) => ({ error: { code, message } })
  if (file.tooLarge)
    return no('file-too-large', `The file is larger than ${megabytes(deps.limits.uploadBytes)}.`)
  if (!/^application\/json\s*(;|$)/i.test(file.type))
    return no('not-json', 'The file is not application/json.')
  const read = await inThread(parseUpload, uploadReader, await readFile(file.path, 'utf8'))
  if ('error' in read) return read
  const other = read.versions.find((version) => versionProblem(version, release) === 'refused')
  if (other) return no('unsupported-source', `The results are of axe-core ${other}, the run's of ${release}.`)
  const warned = read.versions.find((version) => versionProblem(version, release) === 'warned')
  return {
    pages: read.pages,
    warning: warned && `The results are of axe-core ${warned}, the run's of ${release}.`,
  }
}

/** Results of one URL are on one page, whichever files they came in. */
function byUrl(pages: readonly UploadedPage[]): UploadedPage[] {
  const groups = Map.groupBy(pages, ({ url }) => URL.parse(url)!.href)
  return [...groups].map(([url, list]) => {
    const [first] = list
    return list.length === 1
      ? { ...first!, url }
      : { url, title: first!.title, findings: list.flatMap(({ findings }) => findings) }
  })
}

async function take(deps: UploadDeps, run: RunRow, files: readonly UploadedFile[]): Promise<UploadReply> {
  const { axe_release: release } = await planRow(deps, run.id)
  const problems: Problems = { errors: [], warnings: [] }
  const pages: UploadedPage[] = []
  for (const file of files) {
    const read = await readFileOf(deps, file, release)
    if ('error' in read) problems.errors.push({ file: file.name, ...read.error })
    else {
      pages.push(...read.pages)
      if (read.warning) problems.warnings.push({ file: file.name, message: read.warning })
    }
  }
  if (problems.errors.length > 0) return refused(problems.errors, problems.warnings)
  const stored = await storeUpload(
    { db: deps.db, storeFindings, recountRuns, issuesPerPage: deps.limits.issuesPerPage },
    run,
    byUrl(pages),
  )
  return { success: true, errorMessage: null, ...stored, ...problems }
}

/** Adds uploaded results to a run that has ended: all files, or none. */
export const uploadFor = (
  deps: RunDeps & UploadDeps,
  caller: Caller,
  asked: Asked,
  files: readonly UploadedFile[],
) =>
  withRun(deps, asked, async (run): Promise<UploadReply | Refusal> => {
    const all = (code: UploadError['code'], message: string) => refused([{ file: '', code, message }])
    if (run.ended_at === null) return all('run-active', 'The run goes on. Wait for its end.')
    if (files.length === 0) return all('no-files', 'Choose at least one file.')
    if (files.length > deps.limits.uploadFiles)
      return all('too-many-files', `At most ${deps.limits.uploadFiles} files at once.`)
    return (await takeUpload(deps, caller.id)) ?? take(deps, run, files)
  })
