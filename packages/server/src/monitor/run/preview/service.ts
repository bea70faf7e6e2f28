import { hasPermission } from '@clearway/contract/kit/permission.ts'
import * as z from 'zod/mini'
import type { ProductLimits } from '@clearway/contract/kit/limit.ts'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import {
  type ScopePreviewBody,
  type DryRunBody,
  type DryRunEvent,
  PreviewSettings,
} from '@clearway/contract/monitor/run/preview/schema.ts'
import type { FailureReason } from '@clearway/contract/monitor/page/schema.ts'
import type { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import type { ReachRequest, ReachResult } from '@clearway/engine/guard/reach.ts'
import type { PreviewedUrl, PreviewResult } from '@clearway/engine/scan-preview.ts'
import type { DryRunResult } from '@clearway/engine/script/dry-run.ts'
import type { StepResult } from '@clearway/engine/script/run.ts'
import type { PlannedScript, ScanPlan } from '@clearway/engine/settings.ts'
import type { ScriptType } from '@clearway/contract/monitor/script/schema.ts'
import type { Config } from '../../../config.ts'
import { type Caller, type EventsReply, isRefusal, type Refusal, refuse } from '../../../kit/http/answer.ts'
import { canCreateScans } from '../../access/service.ts'
import { findRoleOnScan } from '../../access/store.ts'
import { checkAgainstPreset } from '../../preset/service.ts'
import { findSettingsErrors } from '../../scan/model.ts'
import { findScan } from '../../scan/store.ts'
import { readCurrentQuotas } from '../../setting/service.ts'
import { createTooManyTriesMessage } from '../../setting/model.ts'
import { parseScriptInThread, findScanScriptErrors } from '../../script/service.ts'
import { findScript } from '../../script/store.ts'
import {
  isHeaderSecret,
  createSecretCheck,
  findMissingSecrets,
  listScanSecrets,
  hasSameScripts,
  replaceSecretValues,
  findVariableErrors,
} from '../../session/model.ts'
import { findHeaderPreset, createScanSecretReader, createSecretReader, type SecretDeps } from '../../session/service.ts'
import { createPlan, planSecrets } from '../plan/service.ts'

/** A script step with its picture in base64. */
export type DryStep = Omit<StepResult, 'screenshot'> & { screenshot: string | null }
export type DryRunEnd =
  | Exclude<DryRunResult, { kind: 'ran' }>
  | { kind: 'done' }
  | { kind: 'failed'; reason: FailureReason; detail: string }

/** Runs without stored results, performed by a worker. */
export type Previews = {
  /** Searches for a browser; resolves to the reason if none is available, else to null. */
  missing: () => Promise<string | null>
  preview: (
    plan: ScanPlan,
    options: {
      personId: string
      limitMs: number
      signal: AbortSignal
      onUrl: (found: PreviewedUrl) => void
    },
  ) => Promise<PreviewResult>
  test: (plan: ScanPlan, url: string, personId: string) => Promise<PreviewedUrl>
  /** Checks a URL; resolves to a problem when no worker could do so. */
  reach: (
    asked: ReachRequest,
    by: { personId: string; signal: AbortSignal },
  ) => Promise<ReachResult | { problem: string }>
  dryRun: (
    script: PlannedScript & { type: ScriptType },
    plan: ScanPlan,
    options: { personId: string; signal: AbortSignal; onStep: (step: DryStep) => void },
  ) => Promise<DryRunEnd>
}

export type PreviewDeps = SecretDeps & {
  config: Config
  limits: ProductLimits
  previews: Previews
  slots: Slots
  reachSlots: Slots
}

/** Acquires one of a few slots, at most `maxSlots` per person; returns its release function, or the reason for a refusal. */
export type Slots = (personId: string, maxSlots: number) => (() => void) | 'full' | 'quota'
export function openSlots(count: number): Slots {
  const heldSlots: { personId: string }[] = []
  return (personId, maxSlots) => {
    if (heldSlots.filter((one) => one.personId === personId).length >= maxSlots) return 'quota'
    if (heldSlots.length >= count) return 'full'
    const ownSlot = { personId }
    heldSlots.push(ownSlot)
    return () => {
      const slotIndex = heldSlots.indexOf(ownSlot)
      if (slotIndex >= 0) heldSlots.splice(slotIndex, 1)
    }
  }
}

/** Acquires a slot for a preview, or returns a refusal. Keystores are counted by their waiting tasks instead. */
async function enterSlot(deps: PreviewDeps, personId: string): Promise<(() => void) | Refusal> {
  const { tries: maxTries } = await readCurrentQuotas(deps)
  const slotResult = deps.slots(personId, maxTries)
  if (slotResult === 'quota') return refuse('quota-tries', { detail: createTooManyTriesMessage(maxTries) })
  if (slotResult === 'full')
    return refuse('too-many-requests', { detail: 'Others try something just now. Try again shortly.' })
  return slotResult
}

const previewLimitMs = 30_000
const maxPreviewUrls = 1000
const previewConcurrency = 4

/** Refuses callers who may not edit the given scan, or create scans if none is given. Null when allowed. */
async function checkPreviewAccess(
  deps: PreviewDeps,
  caller: Caller,
  scanId: string | undefined,
): Promise<Refusal | null> {
  if (scanId === undefined) return (await canCreateScans(deps, caller)) ? null : refuse('access-denied')
  const scanRole = await findRoleOnScan(deps, caller, scanId)
  if (scanRole === null) return refuse('not-found')
  return hasPermission(scanRole, 'scan.manage') ? null : refuse('access-denied')
}

/** Errors of settings that will not be stored; a name is not required. */
async function findPreviewErrors(deps: PreviewDeps, settings: ScanSettings): Promise<FieldError[]> {
  const settingsFieldErrors = findSettingsErrors({ ...settings, name: 'preview' }, deps.limits)
  return [
    ...settingsFieldErrors.map((error) => ({ ...error, path: error.path.replace(/^settings\./, '') })),
    ...(await findScanScriptErrors(deps, settings.scripts)),
  ]
}

const prefixSettingsPath = (error: FieldError): FieldError => ({ ...error, path: `settings.${error.path}` })

/**
 * The plan of a run by unsaved settings: checked against their preset as on saving. Uses the secrets in the request, and
 * stored secrets of the scan in place of nulls.
 */
async function createPreviewPlan(
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
  const canUseSecret = (secretName: string) =>
    (hasPresetHeaders && isHeaderSecret(secretName)) || canUseScanSecret(secretName)
  const secretFields = listScanSecrets(presetCheck.settings)
  const sentSecrets = new Map(
    secretFields.flatMap(({ name, value }) => (value === null ? [] : [[name, value] as const])),
  )
  const getSecret = (secretName: string) =>
    sentSecrets.get(secretName) ?? (canUseSecret(secretName) ? getStoredSecret(secretName) : null)
  const storedNames = new Set(
    secretFields.map(({ name }) => name).filter((name) => getStoredSecret(name) !== null),
  )
  const fieldErrors = [
    ...(await findPreviewErrors(deps, presetCheck.settings)),
    ...presetCheck.errors,
    ...findMissingSecrets(secretFields, storedNames, canUseSecret),
  ]
  if (fieldErrors.length > 0)
    return refuse('validation-failed', { errors: fieldErrors.slice(0, 100).map(prefixSettingsPath) })
  const plannedSecretValues = await planSecrets(deps, replaceSecretValues(presetCheck.settings, getSecret))
  if ('missing' in plannedSecretValues)
    return refuse('validation-failed', { detail: plannedSecretValues.missing })
  return createPlan(presetCheck.settings, {
    allowPrivate: deps.config.CLEARWAY_ALLOW_PRIVATE,
    concurrency: previewConcurrency,
    allowEval: deps.config.CLEARWAY_SCRIPT_EVAL,
    ...plannedSecretValues,
  })
}

/**
 * Runs `work` while the client listens, using one of the limited slots of this process. `work` sends its progress; its
 * signal aborts when the client disconnects.
 */
async function streamWhileListening(
  deps: PreviewDeps,
  personId: string,
  work: (send: (event: unknown) => void, signal: AbortSignal) => Promise<void>,
): Promise<EventsReply | Refusal> {
  const leaveSlot = await enterSlot(deps, personId)
  if (isRefusal(leaveSlot)) return leaveSlot
  const missingReason = await deps.previews.missing().catch((error: unknown) => {
    leaveSlot()
    throw error
  })
  if (missingReason !== null) {
    leaveSlot()
    return refuse('no-browser', { detail: missingReason })
  }
  return {
    start: (send, end) => {
      const disconnection = new AbortController()
      void work(send, disconnection.signal)
        // The client notices that the final event is missing.
        .catch(() => undefined)
        .finally(() => {
          leaveSlot()
          end()
        })
      return () => disconnection.abort()
    },
  }
}

/** Lists URLs that a run would visit or exclude, up to half a minute and a thousand URLs. */
export async function streamPreview(
  deps: PreviewDeps,
  caller: Caller,
  body: z.output<typeof ScopePreviewBody>,
) {
  const refusal = await checkPreviewAccess(deps, caller, body.scanId)
  if (refusal) return refusal
  const previewPlan = await createPreviewPlan(deps, body.settings, body.scanId)
  if (isRefusal(previewPlan)) return previewPlan
  return streamWhileListening(deps, caller.id, async (send, signal) => {
    const limitReached = new AbortController()
    let urlCount = 0
    const previewEnd = await deps.previews.preview(previewPlan, {
      personId: caller.id,
      limitMs: previewLimitMs,
      signal: AbortSignal.any([signal, limitReached.signal]),
      onUrl(previewedUrl) {
        urlCount += 1
        if (urlCount > maxPreviewUrls) limitReached.abort()
        else send({ type: 'url', url: previewedUrl })
      },
    })
    const stopReason = limitReached.signal.aborted ? 'count' : 'time'
    const problemDetail = previewEnd.kind === 'problem' ? previewEnd.detail : null
    send({
      type: 'end',
      end: previewEnd.kind === 'stopped' ? stopReason : previewEnd.kind,
      detail: problemDetail,
    })
  })
}

/** The verdict of a run on one URL. */
export async function testScope(
  deps: PreviewDeps,
  caller: Caller,
  body: z.output<typeof ScopePreviewBody> & { url: string },
): Promise<PreviewedUrl | Refusal> {
  const refusal = await checkPreviewAccess(deps, caller, body.scanId)
  if (refusal) return refusal
  const previewPlan = await createPreviewPlan(deps, body.settings, body.scanId)
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
    const reachResult = await deps.previews.reach(
      { url, allowPrivate, userAgent },
      { personId: caller.id, signal },
    )
    return 'problem' in reachResult
      ? refuse('too-many-requests', { detail: reachResult.problem })
      : reachResult
  } finally {
    leaveSlot()
  }
}

/** Settings of a dry run: from the request, else of the scan, else defaults with the hosts in the script. */
async function resolveDryRunSettings(deps: PreviewDeps, body: DryRunBody): Promise<PreviewSettings> {
  if (body.settings) return body.settings
  const storedScan = body.scanId === undefined ? null : await findScan(deps, body.scanId)
  if (storedScan) return storedScan.settings
  const parsedScript = await parseScriptInThread(body.script, body.type)
  const scriptUrls = parsedScript.ok ? parsedScript.script.pages.map(({ url }) => URL.parse(url)) : []
  const webOrigins = scriptUrls
    .filter((url) => url !== null && /^https?:$/.test(url.protocol))
    .map((url) => url!.origin)
  // URLs built from variables have no known host yet; only sign-ins and extra headers need one.
  return z.parse(PreviewSettings, {
    urls: webOrigins.length > 0 ? [...new Set(webOrigins)] : ['https://example.org/'],
  })
}

async function createDryRunPlan(deps: PreviewDeps, body: DryRunBody): Promise<ScanPlan | Refusal> {
  const dryRunSettings = await resolveDryRunSettings(deps, body)
  const { own: ownScripts, ...otherScripts } = dryRunSettings.scripts
  // The script under test is not the sign-in script; other scripts of the scan are not executed.
  const signInScripts = body.type === 'TASK' ? ownScripts.filter(({ type }) => type === 'SESSION') : []
  const dryRunScripts = {
    ...otherScripts,
    own: signInScripts,
    shared: body.type === 'TASK' ? otherScripts.shared : [],
  }
  const previewPlan = await createPreviewPlan(
    deps,
    { ...dryRunSettings, scripts: dryRunScripts },
    body.scanId,
  )
  return isRefusal(previewPlan) ? previewPlan : { ...previewPlan, scripts: [] }
}

/**
 * Variables with values from the request, or those that the shared script or the scan stored for exactly this text: a
 * different script could type them anywhere.
 */
async function resolveVariables(
  deps: PreviewDeps,
  body: DryRunBody,
): Promise<{ variables: PlannedScript['variables']; errors: FieldError[] }> {
  const [sharedScript, storedScan] = await Promise.all([
    body.scriptId === undefined ? null : findScript(deps, body.scriptId),
    body.scanId === undefined ? null : findScan(deps, body.scanId),
  ])
  const triedScripts = { own: [{ text: body.script, type: body.type }], variables: body.variables }
  const secretOwners = [
    ...(sharedScript
      ? [{ id: sharedScript.id, own: [{ text: sharedScript.content, type: sharedScript.type }] }]
      : []),
    ...(storedScan ? [{ id: storedScan.id, own: storedScan.settings.scripts.own }] : []),
  ]
  const storedSecrets = await Promise.all(
    secretOwners.map(async ({ id, own: ownScripts }) => ({
      read: await createSecretReader(deps, id),
      mayKeep: hasSameScripts(triedScripts, { own: ownScripts }),
    })),
  )
  const resolvedVariables: { name: string; value: string }[] = []
  const fieldErrors: FieldError[] = []
  body.variables.forEach(({ name, value: sentValue }, index) => {
    const ownersWithValue = storedSecrets.filter(({ read }) => read(`variable ${name}`) !== null)
    const resolvedValue =
      sentValue ?? ownersWithValue.find(({ mayKeep }) => mayKeep)?.read(`variable ${name}`) ?? null
    if (resolvedValue !== null) resolvedVariables.push({ name, value: resolvedValue })
    else if (ownersWithValue.length > 0)
      fieldErrors.push({
        path: `variables.${index}.value`,
        code: 'required',
        params: { reason: 'used-elsewhere' },
      })
  })
  return { variables: resolvedVariables, errors: fieldErrors }
}

type DryRunEndEvent = Extract<DryRunEvent, { type: 'end' }>
const toEndEvent = (run: DryRunEnd): DryRunEndEvent => {
  const baseEvent = { type: 'end' as const, reason: null, detail: null, errors: [] }
  if (run.kind === 'invalid') return { ...baseEvent, end: 'invalid', errors: run.errors }
  if (run.kind === 'problem') return { ...baseEvent, end: 'problem', detail: run.detail }
  if (run.kind === 'done') return { ...baseEvent, end: 'done' }
  return { ...baseEvent, end: 'failed', reason: run.reason, detail: run.detail }
}

/** Executes a script without analyzing pages, and reports each step with a picture. */
export async function streamDryRun(deps: PreviewDeps, caller: Caller, body: DryRunBody) {
  if (body.scriptId !== undefined && !hasPermission(caller.role, 'admin')) return refuse('access-denied')
  const refusal = await checkPreviewAccess(deps, caller, body.scanId)
  if (refusal) return refusal
  const fieldErrors = findVariableErrors('variables', body.variables)
  if (fieldErrors.length > 0) return refuse('validation-failed', { errors: fieldErrors })
  const dryRunPlan = await createDryRunPlan(deps, body)
  if (isRefusal(dryRunPlan)) return dryRunPlan
  const { variables, errors: missingValueErrors } = await resolveVariables(deps, body)
  if (missingValueErrors.length > 0) return refuse('validation-failed', { errors: missingValueErrors })
  const plannedScript = { name: 'script', text: body.script, type: body.type, variables }
  return streamWhileListening(deps, caller.id, async (send, signal) => {
    const onStep = (step: DryStep) => send({ type: 'step', step })
    send(
      toEndEvent(
        await deps.previews.dryRun(plannedScript, dryRunPlan, { personId: caller.id, signal, onStep }),
      ),
    )
  })
}
