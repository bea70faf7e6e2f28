import { decodeFileText } from '@clearway/contract/kit/decode-text.ts'
import { readFile } from 'node:fs/promises'
import type { ProductLimits } from '@clearway/contract/kit/limit.ts'
import { type PageUrlSettings, readPageUrl } from '@clearway/contract/monitor/page/url/model.ts'
import type { UploadReply } from '@clearway/contract/monitor/issue/upload/schema.ts'
import { runInThread } from '../../../kit/thread-pool.ts'
import type { Caller, Refusal, UploadedFile } from '../../../kit/http/answer.ts'
import type { MonitorDb } from '../../database.ts'
import { parseUpload, type UploadedPage, type UploadError } from '../../issue/upload/model.ts'
import { recountRuns } from '../../issue/recount/store.ts'
import { storeFindings } from '../../issue/finding/store.ts'
import { removeFromRun } from '../../issue/span/store.ts'
import { adoptFormerKey } from '../../issue/former-key/store.ts'
import { countUpload } from '../../setting/service.ts'
import { type RunPath, type RunDeps, withRun } from '../service.ts'
import { readPlan } from '../store.ts'
import { type MergedPage, storeUpload } from './store.ts'
import type { RunRow } from '../table.ts'

export type UploadDeps = { db: MonitorDb; limits: ProductLimits }
type UploadProblems = Pick<UploadReply, 'errors' | 'warnings'>

const createRefusedReply = (errors: UploadReply['errors'], warnings: UploadReply['warnings'] = []): UploadReply => ({
  success: false,
  errorMessage: errors[0]?.message ?? null,
  pages: 0,
  issues: 0,
  errors,
  warnings,
})

/** Compares an uploaded axe-core version with the run's release: another major version is refused, another minor one gets a warning. */
function findVersionProblem(version: string, release: string): 'refused' | 'warned' | null {
  const [majorVersion, minorVersion] = version.split('.')
  const [runMajorVersion, runMinorVersion] = release.split('.')
  if (majorVersion !== runMajorVersion) return 'refused'
  return minorVersion === runMinorVersion ? null : 'warned'
}

const uploadModelUrl = new URL('../../issue/upload/model.ts', import.meta.url).href
const formatMegabytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MiB`

async function parseUploadedFile(deps: UploadDeps, file: UploadedFile, axeRelease: string) {
  const createUploadError = (code: UploadError['code'], message: string) => ({ error: { code, message } })
  if (file.tooLarge)
    return createUploadError('file-too-large', `The file is larger than ${formatMegabytes(deps.limits.uploadBytes)}.`)
  if (!/^application\/json\s*(;|$)/i.test(file.type)) return createUploadError('not-json', 'The file is not application/json.')
  const parsedUpload = await runInThread(parseUpload, uploadModelUrl, decodeFileText(await readFile(file.path)))
  if ('error' in parsedUpload) return parsedUpload
  const refusedVersion = parsedUpload.versions.find((version) => findVersionProblem(version, axeRelease) === 'refused')
  if (refusedVersion)
    return createUploadError('other-axe-version', `The results are of axe-core ${refusedVersion}, the run's of ${axeRelease}.`)
  const otherMinorVersion = parsedUpload.versions.find((version) => findVersionProblem(version, axeRelease) === 'warned')
  return {
    pages: parsedUpload.pages,
    warning: otherMinorVersion && `The results are of axe-core ${otherMinorVersion}, the run's of ${axeRelease}.`,
  }
}

/** Merges results of the same page into one, across files; the settings of the run tell pages apart. */
function mergeByPage(pages: readonly UploadedPage[], settings: PageUrlSettings): MergedPage[] {
  const keyedPages = pages.map((page) => {
    const pageUrl = readPageUrl(page.url, settings)
    return { ...page, ...(pageUrl.ok ? { url: pageUrl.shownUrl, key: pageUrl.key } : { key: page.url }), formerKey: page.url }
  })
  return [...Map.groupBy(keyedPages, ({ key }) => key)].map(([key, samePages]) => ({
    url: samePages[0]!.url,
    key,
    title: samePages[0]!.title,
    findings: samePages.flatMap(({ findings }) => findings),
    formerKeys: [...new Set(samePages.map(({ formerKey }) => URL.parse(formerKey)!.href))].filter(
      (formerKey) => formerKey !== key,
    ),
  }))
}

async function storeFiles(deps: UploadDeps, run: RunRow, files: readonly UploadedFile[]): Promise<UploadReply> {
  const { axe_release: axeRelease, settings } = await readPlan(deps, run.id)
  const uploadProblems: UploadProblems = { errors: [], warnings: [] }
  const uploadedPages: UploadedPage[] = []
  for (const uploadedFile of files) {
    const parsedFile = await parseUploadedFile(deps, uploadedFile, axeRelease)
    if ('error' in parsedFile) uploadProblems.errors.push({ file: uploadedFile.name, ...parsedFile.error })
    else {
      uploadedPages.push(...parsedFile.pages)
      if (parsedFile.warning) uploadProblems.warnings.push({ file: uploadedFile.name, message: parsedFile.warning })
    }
  }
  if (uploadProblems.errors.length > 0) return createRefusedReply(uploadProblems.errors, uploadProblems.warnings)
  const storeResult = await storeUpload(
    { db: deps.db, storeFindings, removeFromRun, adoptFormerKey, recountRuns, issuesPerPage: deps.limits.issuesPerPage },
    run,
    mergeByPage(uploadedPages, settings.advanced),
  )
  return { success: true, errorMessage: null, ...storeResult, ...uploadProblems }
}

/** Adds uploaded results to an ended run: all files, or none. */
export const uploadResults = (deps: RunDeps & UploadDeps, caller: Caller, runPath: RunPath, files: readonly UploadedFile[]) =>
  withRun(deps, runPath, async (run): Promise<UploadReply | Refusal> => {
    const refuseAll = (code: UploadError['code'], message: string) => createRefusedReply([{ file: '', code, message }])
    if (run.ended_at === null) return refuseAll('run-active', 'The run is in progress. Wait until it ends.')
    if (files.length === 0) return refuseAll('no-files', 'Choose at least one file.')
    if (files.length > deps.limits.uploadFiles)
      return refuseAll('too-many-files', `At most ${deps.limits.uploadFiles} files at once.`)
    return (await countUpload(deps, caller.id)) ?? storeFiles(deps, run, files)
  })
