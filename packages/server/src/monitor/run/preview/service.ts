import type { FieldError } from '@clearway/contract/kit/problem.ts'
import {
  previewLimitSeconds,
  type PreviewSettings,
  type ScopePreviewBody,
} from '@clearway/contract/monitor/run/preview/schema.ts'
import type { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { findSettingsErrors } from '@clearway/contract/monitor/scan/settings/model.ts'
import type { ReachResult } from '@clearway/engine/guard/reach.ts'
import type { PreviewedUrl } from '@clearway/engine/scan-preview.ts'
import type { ScanPlan } from '@clearway/engine/settings.ts'
import type * as z from 'zod/mini'
import { createExpressionCheck } from '../../../kit/expression.ts'
import { type Caller, isRefusal, type Refusal, refuse } from '../../../kit/http/answer.ts'
import { checkAgainstPreset } from '../../preset/service.ts'
import { isSelector } from '../../scan/selector/model.ts'
import { findScan } from '../../scan/store.ts'
import { findScanScriptErrors } from '../../script/service.ts'
import {
  createSecretCheck,
  findMissingSecrets,
  isHeaderSecret,
  listScanSecrets,
  replaceSecretValues,
} from '../../session/model.ts'
import { createScanSecretReader, findHeaderPreset } from '../../session/service.ts'
import { createPlan, planSecrets } from '../plan/service.ts'
import { afterAllRuns } from '../table.ts'
import { listPreviousPages } from '../unmet/store.ts'
import { comparePreview } from './model.ts'
import { findTestedPages } from './store.ts'
import { checkPreviewAccess, enterSlot, type PreviewDeps, streamWhileListening } from '../preview-access/service.ts'

const maxPreviewUrls = 1000
const previewConcurrency = 4

/** Errors of settings that will not be stored; a name is not required. */
async function findPreviewErrors(deps: PreviewDeps, settings: ScanSettings): Promise<FieldError[]> {
  const settingsContext = { limits: deps.limits, isSelector, isExpression: createExpressionCheck() }
  return [
    ...findSettingsErrors({ ...settings, name: 'preview' }, settingsContext),
    ...(await findScanScriptErrors(deps, settings)),
  ]
}

const prefixSettingsPath = (error: FieldError): FieldError => ({ ...error, path: `settings.${error.path}` })

/** The plan of a run by unsaved settings, checked as on saving. Stored secrets of the scan replace nulls in the request's. */
export async function createPreviewPlan(
  deps: PreviewDeps,
  sentSettings: PreviewSettings,
  scanId: string | undefined,
): Promise<ScanPlan | Refusal> {
  const storedScan = scanId === undefined ? null : await findScan(deps, scanId)
  const presetCheck = await checkAgainstPreset(deps, sentSettings, storedScan && storedScan.settings)
  const getStoredSecret = await createScanSecretReader(deps, storedScan && storedScan.id, presetCheck.settings)
  const hasPresetHeaders = (await findHeaderPreset(deps, presetCheck.settings.presetId)) !== null
  // Unsaved settings send stored secrets only to destinations for which these were saved.
  const canUseScanSecret = storedScan ? createSecretCheck(presetCheck.settings, storedScan.settings) : () => false
  const canUseSecret = (secretName: string) => (hasPresetHeaders && isHeaderSecret(secretName)) || canUseScanSecret(secretName)
  const secretFields = listScanSecrets(presetCheck.settings)
  const sentSecrets = new Map(secretFields.flatMap(({ name, value }) => (value === null ? [] : [[name, value] as const])))
  const getSecret = (secretName: string) =>
    sentSecrets.get(secretName) ?? (canUseSecret(secretName) ? getStoredSecret(secretName) : null)
  const storedNames = new Set(secretFields.map(({ name }) => name).filter((name) => getStoredSecret(name) !== null))
  const fieldErrors = [
    ...(await findPreviewErrors(deps, presetCheck.settings)),
    ...presetCheck.errors,
    ...findMissingSecrets(secretFields, storedNames, canUseSecret),
  ]
  if (fieldErrors.length > 0) return refuse('validation-failed', { errors: fieldErrors.slice(0, 100).map(prefixSettingsPath) })
  const plannedSecretValues = await planSecrets(deps, replaceSecretValues(presetCheck.settings, getSecret))
  if ('missing' in plannedSecretValues) return refuse('validation-failed', { detail: plannedSecretValues.missing })
  return createPlan(presetCheck.settings, {
    allowPrivate: deps.config.CLEARWAY_ALLOW_PRIVATE,
    concurrency: previewConcurrency,
    allowEval: deps.config.CLEARWAY_SCRIPT_EVAL,
    signOutUrls: storedScan?.sign_out_urls ?? [],
    ...plannedSecretValues,
  })
}

type PreviewRequest = { deps: PreviewDeps; caller: Caller; body: z.output<typeof ScopePreviewBody> }
const openPreviewPlan = async ({ deps, caller, body }: PreviewRequest): Promise<ScanPlan | Refusal> =>
  (await checkPreviewAccess(deps, caller, body.scanId)) ?? createPreviewPlan(deps, body.settings, body.scanId)

/** Reads what the last run tested, and the pages that the next one would test again. Null for a scan that is not stored. */
async function readLastRun({ db }: PreviewDeps, scanId: string | undefined, plan: ScanPlan) {
  if (scanId === undefined) return null
  const [testedPages, previousPages] = await Promise.all([
    findTestedPages(db, scanId, maxPreviewUrls),
    // Only this order tests pages again before others; of a large scan, these are many.
    plan.advanced.representativeOrder
      ? listPreviousPages({ db, scanId, runNumber: afterAllRuns, pageLimit: plan.pageLimit, seed: scanId })
      : [],
  ])
  return { testedPages, previousPages }
}

/** Lists URLs that a run would visit or exclude, up to half a minute and a thousand URLs. */
export async function streamPreview(deps: PreviewDeps, caller: Caller, body: z.output<typeof ScopePreviewBody>) {
  const previewPlan = await openPreviewPlan({ deps, caller, body })
  if (isRefusal(previewPlan)) return previewPlan
  const lastRun = await readLastRun(deps, body.scanId, previewPlan)
  return streamWhileListening(deps, caller.id, async (send, signal) => {
    const limitReached = new AbortController()
    const reportedUrls = new Set<string>()
    const includedUrls = new Set<string>()
    const previewEnd = await deps.previews.preview(previewPlan, {
      personId: caller.id,
      limitMs: previewLimitSeconds * 1000,
      signal: AbortSignal.any([signal, limitReached.signal]),
      previousPages: lastRun?.previousPages ?? [],
      onUrl(previewedUrl) {
        reportedUrls.add(previewedUrl.url)
        if (reportedUrls.size > maxPreviewUrls) return limitReached.abort()
        // A page that turns out to be another one is reported again.
        if (previewedUrl.verdict === 'crawled') includedUrls.add(previewedUrl.url)
        else includedUrls.delete(previewedUrl.url)
        send({ type: 'url', url: previewedUrl })
      },
    })
    const stopReason = limitReached.signal.aborted ? 'count' : 'time'
    const problemDetail = previewEnd.kind === 'problem' ? previewEnd.detail : null
    const testedPages = previewEnd.kind === 'problem' ? null : (lastRun?.testedPages ?? null)
    send({
      type: 'end',
      end: previewEnd.kind === 'stopped' ? stopReason : previewEnd.kind,
      detail: problemDetail,
      change: testedPages && comparePreview(testedPages, includedUrls, previewEnd.kind === 'whole'),
    })
  })
}

async function streamOneResult(
  { deps, caller, body }: PreviewRequest,
  readResult: (plan: ScanPlan, by: { personId: string; signal: AbortSignal }) => Promise<object>,
) {
  const previewPlan = await openPreviewPlan({ deps, caller, body })
  if (isRefusal(previewPlan)) return previewPlan
  return streamWhileListening(deps, caller.id, async (send, signal) =>
    send({ type: 'end', ...(await readResult(previewPlan, { personId: caller.id, signal })) }),
  )
}

/** Signs in like a run, and reports what the start page shows without and with the session. */
export const streamSignInTry = (request: PreviewRequest) => streamOneResult(request, request.deps.previews.trySignIn)

export const streamPageButtons = (request: PreviewRequest) => streamOneResult(request, request.deps.previews.listButtons)

export async function testScope(
  deps: PreviewDeps,
  caller: Caller,
  body: z.output<typeof ScopePreviewBody> & { url: string },
): Promise<PreviewedUrl | Refusal> {
  const previewPlan = await openPreviewPlan({ deps, caller, body })
  if (isRefusal(previewPlan)) return previewPlan
  const leaveSlot = await enterSlot(deps, caller.id)
  if (isRefusal(leaveSlot)) return leaveSlot
  try {
    const missingReason = await deps.previews.missing()
    return missingReason === null
      ? await deps.previews.test(previewPlan, body.url, caller.id)
      : refuse('no-browser', { detail: missingReason })
  } finally {
    leaveSlot()
  }
}

/** Per person: the current request, and a previous one that is still in flight. */
const maxConcurrentReaches = 2

/**
 * Checks a URL while a user types. Sent automatically, it uses none of the slots for previews.
 * @param signal aborts when the caller disconnects
 */
export async function reachUrl(
  deps: PreviewDeps,
  { caller, signal }: { caller: Caller; signal: AbortSignal },
  { url, scanId }: { url: string; scanId?: string | undefined },
): Promise<ReachResult | Refusal> {
  const refusal = await checkPreviewAccess(deps, caller, scanId)
  if (refusal) return refusal
  const leaveSlot = deps.reachSlots(caller.id, maxConcurrentReaches)
  if (typeof leaveSlot === 'string')
    return refuse('too-many-requests', { detail: 'Other URLs are asked for just now. Try again shortly.' })
  try {
    const storedScan = scanId === undefined ? null : await findScan(deps, scanId)
    const userAgent = storedScan?.settings.advanced.userAgent ?? null
    const allowPrivate = deps.config.CLEARWAY_ALLOW_PRIVATE
    const reachResult = await deps.previews.reach({ url, allowPrivate, userAgent }, { personId: caller.id, signal })
    return 'problem' in reachResult ? refuse('too-many-requests', { detail: reachResult.problem }) : reachResult
  } finally {
    leaveSlot()
  }
}
