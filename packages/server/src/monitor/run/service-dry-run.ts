import { parseScript } from '@clearway/contract/monitor/script/model.ts'
import type { DryRunBody, DryRunEvent } from '@clearway/contract/monitor/run/schema-trial.ts'
import { TrialSettings } from '@clearway/contract/monitor/run/schema-trial.ts'
import { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import type { DryRun } from '@clearway/engine/script/dry-run.ts'
import type { StepResult } from '@clearway/engine/script/run.ts'
import type { PlannedScript, ScanPlan } from '@clearway/engine/settings.ts'
import * as z from 'zod/mini'
import { type Caller, isRefusal, type Refusal, refuse } from '../../kit/http/answer.ts'
import { findScan } from '../scan/store.ts'
import { readSecrets } from '../session/service.ts'
import { variableErrors } from '../session/model.ts'
import { refusedTrial, type TrialDeps, trialPlan, whileListening } from './service-trial.ts'

/** Bytes of pictures that one dry run sends at most, and of one picture; later steps come without. */
const picturesBytes = 24 * 1024 * 1024
const pictureBytes = 1024 * 1024

/** The settings to walk by: those sent, else the scan's own, else the usual ones with the hosts of the script's addresses. */
async function settingsOf(deps: TrialDeps, body: DryRunBody): Promise<TrialSettings> {
  if (body.settings) return body.settings
  const scan = body.scanId === undefined ? null : await findScan(deps, body.scanId)
  if (scan) return z.parse(ScanSettings, scan.settings)
  const parsed = parseScript(body.script, body.type)
  const urls = parsed.ok ? parsed.script.pages.map(({ url }) => URL.parse(url)) : []
  const web = urls.filter((url) => url !== null && /^https?:$/.test(url.protocol)).map((url) => url!.origin)
  // Addresses made of variables name no host yet; nothing but sign-ins and extra headers asks for it.
  return z.parse(TrialSettings, { urls: web.length > 0 ? [...new Set(web)] : ['https://example.org/'] })
}

async function dryRunPlan(deps: TrialDeps, body: DryRunBody): Promise<ScanPlan | Refusal> {
  const settings = await settingsOf(deps, body)
  const { own, ...rest } = settings.scripts
  // What is tried is not what signs in; other scripts of the scan are not walked.
  const signIn = body.type === 'TASK' ? own.filter(({ type }) => type === 'SESSION') : []
  const scripts = { ...rest, own: signIn, shared: body.type === 'TASK' ? rest.shared : [] }
  const plan = await trialPlan(deps, { ...settings, scripts }, body.scanId)
  return isRefusal(plan) ? plan : { ...plan, scripts: [] }
}

/** The variables with the values that were sent, or that the shared script or the scan has stored. */
async function variablesOf(deps: TrialDeps, body: DryRunBody): Promise<PlannedScript['variables']> {
  const owners = [body.scriptId, body.scanId].filter((id) => id !== undefined)
  const stored = await Promise.all(owners.map((id) => readSecrets(deps, id)))
  return body.variables.flatMap(({ name, value: sent }) => {
    const known = stored.map((secret) => secret(`variable ${name}`)).find((value) => value !== null)
    const value = sent ?? known
    return value === undefined ? [] : [{ name, value }]
  })
}

/** Pictures as base64, until there are too many bytes of them. */
function pictureTaker() {
  let left = picturesBytes
  return (picture: Uint8Array | null): string | null => {
    if (picture === null || picture.length > pictureBytes || picture.length > left) return null
    left -= picture.length
    return Buffer.from(picture).toString('base64')
  }
}

type End = Extract<DryRunEvent, { type: 'end' }>
const endOf = (run: DryRun): End => {
  const end = { type: 'end' as const, reason: null, detail: null, errors: [] }
  if (run.kind === 'invalid') return { ...end, end: 'invalid', errors: run.errors }
  if (run.kind === 'problem') return { ...end, end: 'problem', detail: run.detail }
  if (run.end.kind === 'done') return { ...end, end: 'done' }
  return { ...end, end: 'failed', reason: run.end.reason, detail: run.end.detail }
}

/** Walks a script without analysing anything, and tells of each step with a picture. */
export async function dryRunFor(deps: TrialDeps, caller: Caller, body: DryRunBody) {
  if (body.scriptId !== undefined && !caller.isAdmin) return refuse('access-denied')
  const refused = await refusedTrial(deps, caller, body.scanId)
  if (refused) return refused
  const errors = variableErrors('variables', body.variables)
  if (errors.length > 0) return refuse('validation-failed', { errors })
  const plan = await dryRunPlan(deps, body)
  if (isRefusal(plan)) return plan
  const script = {
    name: 'script',
    text: body.script,
    type: body.type,
    variables: await variablesOf(deps, body),
  }
  return whileListening(deps, async (send, signal) => {
    const pictureOf = pictureTaker()
    const onStep = (step: StepResult) =>
      send({ type: 'step', step: { ...step, screenshot: pictureOf(step.screenshot) } })
    send(endOf(await deps.trials.dryRun(script, plan, { signal, onStep })))
  })
}
