import { hasPermission } from '@clearway/contract/kit/permission.ts'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import { type DryRunBody, type DryRunEvent, PreviewSettings } from '@clearway/contract/monitor/run/preview/schema.ts'
import type { PlannedScript, ScanPlan } from '@clearway/engine/settings.ts'
import * as z from 'zod/mini'
import { type Caller, isRefusal, type Refusal, refuse } from '../../../kit/http/answer.ts'
import { findScan } from '../../scan/store.ts'
import { parseScriptInThread } from '../../script/service.ts'
import { findScript } from '../../script/store.ts'
import { findVariableErrors, hasSameScripts } from '../../session/model.ts'
import { createSecretReader } from '../../session/service.ts'
import { checkPreviewAccess, type PreviewDeps, streamWhileListening } from '../preview-access/service.ts'
import { createPreviewPlan } from '../preview/service.ts'
import type { DryRunEnd, DryStep } from '../task/service.ts'

/** Settings of a dry run: from the request, else of the scan, else defaults with the hosts in the script. */
async function resolveDryRunSettings(deps: PreviewDeps, body: DryRunBody): Promise<PreviewSettings> {
  if (body.settings) return body.settings
  const storedScan = body.scanId === undefined ? null : await findScan(deps, body.scanId)
  if (storedScan) return storedScan.settings
  const parsedScript = await parseScriptInThread(body.script, body.type)
  const scriptUrls = parsedScript.ok ? parsedScript.script.pages.map(({ url }) => URL.parse(url)) : []
  const webOrigins = scriptUrls.filter((url) => url !== null && /^https?:$/.test(url.protocol)).map((url) => url!.origin)
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
  const dryRunScripts = { ...otherScripts, own: signInScripts, shared: body.type === 'TASK' ? otherScripts.shared : [] }
  const previewPlan = await createPreviewPlan(deps, { ...dryRunSettings, scripts: dryRunScripts }, body.scanId)
  return isRefusal(previewPlan) ? previewPlan : { ...previewPlan, scripts: [] }
}

/** Variables with values of the request, or stored for exactly this text: another script could type them anywhere. */
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
    ...(sharedScript ? [{ id: sharedScript.id, own: [{ text: sharedScript.content, type: sharedScript.type }] }] : []),
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
    const resolvedValue = sentValue ?? ownersWithValue.find(({ mayKeep }) => mayKeep)?.read(`variable ${name}`) ?? null
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
    send(toEndEvent(await deps.previews.dryRun(plannedScript, dryRunPlan, { personId: caller.id, signal, onStep })))
  })
}
