import { roleMay } from '@clearway/contract/kit/permission.ts'
import * as z from 'zod/mini'
import type { Limits } from '@clearway/contract/kit/limit.ts'
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
import { type Caller, type EventsAnswer, isRefusal, type Refusal, refuse } from '../../../kit/http/answer.ts'
import { canCreateScans } from '../../access/service.ts'
import { findRoleOnScan } from '../../access/store.ts'
import { checkAgainstPreset } from '../../preset/service.ts'
import { settingsErrors } from '../../scan/model.ts'
import { findScan } from '../../scan/store.ts'
import { quotasNow } from '../../setting/service.ts'
import { tooManyTries } from '../../setting/model.ts'
import { readScript, scanScriptErrors } from '../../script/service.ts'
import { findScript } from '../../script/store.ts'
import {
  isHeaderSecret,
  mayKeepOf,
  missingSecrets,
  scanSecrets,
  scriptsStay,
  withSecrets,
  variableErrors,
} from '../../session/model.ts'
import { headersFrom, readScanSecrets, readSecrets, type SecretDeps } from '../../session/service.ts'
import { planOf, plannedSecrets } from '../plan/service.ts'

/** A step with its picture in base64. */
export type DryStep = Omit<StepResult, 'screenshot'> & { screenshot: string | null }
export type DryRunEnd =
  | Exclude<DryRunResult, { kind: 'ran' }>
  | { kind: 'done' }
  | { kind: 'failed'; reason: FailureReason; detail: string }

/** Runs that store nothing, as a worker does them. */
export type Previews = {
  /** Looks for a browser; why there is none, or null. */
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
  /** What answers at a URL, or why nobody could ask. */
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
  limits: Limits
  previews: Previews
  slots: Slots
  reachSlots: Slots
}

/** Lets a few do something at once, and one person `most` of it: how to leave, or why there is no slot. */
export type Slots = (personId: string, most: number) => (() => void) | 'full' | 'quota'
export function openSlots(count: number): Slots {
  const held: { personId: string }[] = []
  return (personId, most) => {
    if (held.filter((one) => one.personId === personId).length >= most) return 'quota'
    if (held.length >= count) return 'full'
    const mine = { personId }
    held.push(mine)
    return () => {
      const at = held.indexOf(mine)
      if (at >= 0) held.splice(at, 1)
    }
  }
}

/** A slot to try something in, or why there is none. What a keystore takes is counted where it waits for a worker. */
async function enter(deps: PreviewDeps, personId: string): Promise<(() => void) | Refusal> {
  const { tries: most } = await quotasNow(deps)
  const entered = deps.slots(personId, most)
  if (entered === 'quota') return refuse('quota-tries', { detail: tooManyTries(most) })
  if (entered === 'full')
    return refuse('too-many-requests', { detail: 'Others try something just now. Try again shortly.' })
  return entered
}

const limitMs = 30_000
const mostUrls = 1000
const pagesAtOnce = 4

/** For whoever may edit the named scan; without one, whoever may create scans. Null when the caller may. */
async function refusedPreview(
  deps: PreviewDeps,
  caller: Caller,
  scanId: string | undefined,
): Promise<Refusal | null> {
  if (scanId === undefined) return (await canCreateScans(deps, caller)) ? null : refuse('access-denied')
  const role = await findRoleOnScan(deps, caller, scanId)
  if (role === null) return refuse('not-found')
  return roleMay(role, 'scan.manage') ? null : refuse('access-denied')
}

/** What is wrong with settings that will not be stored: a name is not asked for. */
async function previewErrors(deps: PreviewDeps, settings: ScanSettings): Promise<FieldError[]> {
  const errors = settingsErrors({ ...settings, name: 'preview' }, deps.limits)
  return [
    ...errors.map((error) => ({ ...error, path: error.path.replace(/^settings\./, '') })),
    ...(await scanScriptErrors(deps, settings.scripts)),
  ]
}

const onSettings = (error: FieldError): FieldError => ({ ...error, path: `settings.${error.path}` })

/**
 * What a run by unsaved settings would work by: checked by their preset as when they are saved, with the secrets that were
 * sent, and those that the scan has stored in place of nulls.
 */
async function previewPlan(
  deps: PreviewDeps,
  sent: PreviewSettings,
  scanId: string | undefined,
): Promise<ScanPlan | Refusal> {
  const scan = scanId === undefined ? null : await findScan(deps, scanId)
  const checked = await checkAgainstPreset(deps, sent, scan && scan.settings)
  const stored = await readScanSecrets(deps, scan && scan.id, checked.settings)
  const byPreset = (await headersFrom(deps, checked.settings.presetId)) !== null
  // Unsaved settings send what is stored only where it was saved for.
  const mayKeepOwn = scan ? mayKeepOf(checked.settings, scan.settings) : () => false
  const mayKeep = (name: string) => (byPreset && isHeaderSecret(name)) || mayKeepOwn(name)
  const fields = scanSecrets(checked.settings)
  const given = new Map(fields.flatMap(({ name, value }) => (value === null ? [] : [[name, value] as const])))
  const secret = (name: string) => given.get(name) ?? (mayKeep(name) ? stored(name) : null)
  const known = new Set(fields.map(({ name }) => name).filter((name) => stored(name) !== null))
  const errors = [
    ...(await previewErrors(deps, checked.settings)),
    ...checked.errors,
    ...missingSecrets(fields, known, mayKeep),
  ]
  if (errors.length > 0) return refuse('validation-failed', { errors: errors.slice(0, 100).map(onSettings) })
  const planned = await plannedSecrets(deps, withSecrets(checked.settings, secret))
  if ('missing' in planned) return refuse('validation-failed', { detail: planned.missing })
  return planOf(checked.settings, {
    allowPrivate: deps.config.CLEARWAY_ALLOW_PRIVATE,
    concurrency: pagesAtOnce,
    allowEval: deps.config.CLEARWAY_SCRIPT_EVAL,
    ...planned,
  })
}

/**
 * Does a piece of work while the client listens, one of a few at once in this process. `work` sends its progress;
 * its signal ends it when the client has gone.
 */
async function whileListening(
  deps: PreviewDeps,
  personId: string,
  work: (send: (event: unknown) => void, signal: AbortSignal) => Promise<void>,
): Promise<EventsAnswer | Refusal> {
  const leave = await enter(deps, personId)
  if (isRefusal(leave)) return leave
  const missing = await deps.previews.missing().catch((error: unknown) => {
    leave()
    throw error
  })
  if (missing !== null) {
    leave()
    return refuse('no-browser', { detail: missing })
  }
  return {
    start: (send, end) => {
      const gone = new AbortController()
      void work(send, gone.signal)
        // Whoever listens sees that the last event is missing.
        .catch(() => undefined)
        .finally(() => {
          leave()
          end()
        })
      return () => gone.abort()
    },
  }
}

/** Lists what a run would visit and exclude, for half a minute and a thousand URLs at most. */
export async function previewFor(deps: PreviewDeps, caller: Caller, body: z.output<typeof ScopePreviewBody>) {
  const refused = await refusedPreview(deps, caller, body.scanId)
  if (refused) return refused
  const plan = await previewPlan(deps, body.settings, body.scanId)
  if (isRefusal(plan)) return plan
  return whileListening(deps, caller.id, async (send, signal) => {
    const full = new AbortController()
    let met = 0
    const end = await deps.previews.preview(plan, {
      personId: caller.id,
      limitMs,
      signal: AbortSignal.any([signal, full.signal]),
      onUrl(found) {
        met += 1
        if (met > mostUrls) full.abort()
        else send({ type: 'url', url: found })
      },
    })
    const early = full.signal.aborted ? 'count' : 'time'
    const detail = end.kind === 'problem' ? end.detail : null
    send({ type: 'end', end: end.kind === 'stopped' ? early : end.kind, detail })
  })
}

/** What a run would do with one URL. */
export async function testFor(
  deps: PreviewDeps,
  caller: Caller,
  body: z.output<typeof ScopePreviewBody> & { url: string },
): Promise<PreviewedUrl | Refusal> {
  const refused = await refusedPreview(deps, caller, body.scanId)
  if (refused) return refused
  const plan = await previewPlan(deps, body.settings, body.scanId)
  if (isRefusal(plan)) return plan
  const leave = await enter(deps, caller.id)
  if (isRefusal(leave)) return leave
  try {
    const missing = await deps.previews.missing()
    return missing === null
      ? await deps.previews.test(plan, body.url, caller.id)
      : refuse('no-browser', { detail: missing })
  } finally {
    leave()
  }
}

/** Of one person: one that they wait for, and one of before they typed on. */
const mostReached = 2

/**
 * What answers at a URL that somebody types. Asked unbidden, it takes none of the slots in which people try things.
 * @param signal aborts when the caller has gone
 */
export async function reachFor(
  deps: PreviewDeps,
  { caller, signal }: { caller: Caller; signal: AbortSignal },
  { url, scanId }: { url: string; scanId?: string | undefined },
): Promise<ReachResult | Refusal> {
  const refused = await refusedPreview(deps, caller, scanId)
  if (refused) return refused
  const leave = deps.reachSlots(caller.id, mostReached)
  if (typeof leave === 'string')
    return refuse('too-many-requests', { detail: 'Other URLs are asked for just now. Try again shortly.' })
  try {
    const scan = scanId === undefined ? null : await findScan(deps, scanId)
    const userAgent = scan?.settings.advanced.userAgent ?? null
    const allowPrivate = deps.config.CLEARWAY_ALLOW_PRIVATE
    const reached = await deps.previews.reach(
      { url, allowPrivate, userAgent },
      { personId: caller.id, signal },
    )
    return 'problem' in reached ? refuse('too-many-requests', { detail: reached.problem }) : reached
  } finally {
    leave()
  }
}

/** The settings to walk by: those sent, else the scan's own, else the usual ones with the hosts of the script's URLs. */
async function settingsOf(deps: PreviewDeps, body: DryRunBody): Promise<PreviewSettings> {
  if (body.settings) return body.settings
  const scan = body.scanId === undefined ? null : await findScan(deps, body.scanId)
  if (scan) return scan.settings
  const parsed = await readScript(body.script, body.type)
  const urls = parsed.ok ? parsed.script.pages.map(({ url }) => URL.parse(url)) : []
  const web = urls.filter((url) => url !== null && /^https?:$/.test(url.protocol)).map((url) => url!.origin)
  // URLs made of variables name no host yet; nothing but sign-ins and extra headers asks for it.
  return z.parse(PreviewSettings, { urls: web.length > 0 ? [...new Set(web)] : ['https://example.org/'] })
}

async function dryRunPlan(deps: PreviewDeps, body: DryRunBody): Promise<ScanPlan | Refusal> {
  const settings = await settingsOf(deps, body)
  const { own, ...rest } = settings.scripts
  // What is tried is not what signs in; other scripts of the scan are not walked.
  const signIn = body.type === 'TASK' ? own.filter(({ type }) => type === 'SESSION') : []
  const scripts = { ...rest, own: signIn, shared: body.type === 'TASK' ? rest.shared : [] }
  const plan = await previewPlan(deps, { ...settings, scripts }, body.scanId)
  return isRefusal(plan) ? plan : { ...plan, scripts: [] }
}

/**
 * The variables with the values that were sent, or that the shared script or the scan has stored for this very text:
 * another one could type them anywhere.
 */
async function variablesOf(
  deps: PreviewDeps,
  body: DryRunBody,
): Promise<{ variables: PlannedScript['variables']; errors: FieldError[] }> {
  const [shared, scan] = await Promise.all([
    body.scriptId === undefined ? null : findScript(deps, body.scriptId),
    body.scanId === undefined ? null : findScan(deps, body.scanId),
  ])
  const tried = { own: [{ text: body.script, type: body.type }], variables: body.variables }
  const owners = [
    ...(shared ? [{ id: shared.id, own: [{ text: shared.content, type: shared.type }] }] : []),
    ...(scan ? [{ id: scan.id, own: scan.settings.scripts.own }] : []),
  ]
  const stored = await Promise.all(
    owners.map(async ({ id, own }) => ({
      read: await readSecrets(deps, id),
      mayKeep: scriptsStay(tried, { own }),
    })),
  )
  const variables: { name: string; value: string }[] = []
  const errors: FieldError[] = []
  body.variables.forEach(({ name, value: sent }, index) => {
    const known = stored.filter(({ read }) => read(`variable ${name}`) !== null)
    const value = sent ?? known.find(({ mayKeep }) => mayKeep)?.read(`variable ${name}`) ?? null
    if (value !== null) variables.push({ name, value })
    else if (known.length > 0)
      errors.push({
        path: `variables.${index}.value`,
        code: 'required',
        params: { reason: 'used-elsewhere' },
      })
  })
  return { variables, errors }
}

type End = Extract<DryRunEvent, { type: 'end' }>
const endOf = (run: DryRunEnd): End => {
  const end = { type: 'end' as const, reason: null, detail: null, errors: [] }
  if (run.kind === 'invalid') return { ...end, end: 'invalid', errors: run.errors }
  if (run.kind === 'problem') return { ...end, end: 'problem', detail: run.detail }
  if (run.kind === 'done') return { ...end, end: 'done' }
  return { ...end, end: 'failed', reason: run.reason, detail: run.detail }
}

/** Walks a script without analysing anything, and reports each step with a picture. */
export async function dryRunFor(deps: PreviewDeps, caller: Caller, body: DryRunBody) {
  if (body.scriptId !== undefined && !roleMay(caller.role, 'admin')) return refuse('access-denied')
  const refused = await refusedPreview(deps, caller, body.scanId)
  if (refused) return refused
  const errors = variableErrors('variables', body.variables)
  if (errors.length > 0) return refuse('validation-failed', { errors })
  const plan = await dryRunPlan(deps, body)
  if (isRefusal(plan)) return plan
  const { variables, errors: missing } = await variablesOf(deps, body)
  if (missing.length > 0) return refuse('validation-failed', { errors: missing })
  const script = { name: 'script', text: body.script, type: body.type, variables }
  return whileListening(deps, caller.id, async (send, signal) => {
    const onStep = (step: DryStep) => send({ type: 'step', step })
    send(endOf(await deps.previews.dryRun(script, plan, { personId: caller.id, signal, onStep })))
  })
}
