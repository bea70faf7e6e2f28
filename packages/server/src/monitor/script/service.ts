import { createSignInConflict } from '@clearway/contract/monitor/scan/settings/model.ts'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import type { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { parseScript } from '@clearway/contract/monitor/script/model.ts'
import type { ScriptBody, ScriptType } from '@clearway/contract/monitor/script/schema.ts'
import type * as z from 'zod/mini'
import type { scriptApi } from '@clearway/contract/monitor/script/api.ts'
import { findNameError } from '@clearway/contract/monitor/scan/settings/model.ts'
import type { Config } from '../../config.ts'
import { type Caller, type Refusal, refuse } from '../../kit/http/answer.ts'
import { runInThread } from '../../kit/thread-pool.ts'
import { createId } from '../../kit/id.ts'
import { buildPageReply } from '../../kit/paging.ts'
import { hasSameScripts, findVariableErrors, listVariableSecrets } from '../session/model.ts'
import { prepareSecrets, createSecretReader, type SecretDeps } from '../session/service.ts'
import { findStepErrors } from './model.ts'
import {
  findScript,
  insertScript,
  listScripts,
  removeScript,
  replaceScript,
  readScriptNames,
  findScriptsByIds,
  type ScriptRow,
  type ScriptValues,
} from './store.ts'

export type ScriptDeps = SecretDeps & { config: Pick<Config, 'CLEARWAY_SCRIPT_EVAL'> }

const scriptModelUrl = import.meta.resolve('@clearway/contract/monitor/script/model.ts')
/** Parses a script in a separate thread, because long ones take seconds. */
export const parseScriptInThread = (scriptText: string, scriptType: ScriptType) =>
  runInThread(parseScript, scriptModelUrl, scriptText, scriptType)

/** Parses a script, and checks that this server can perform its steps. */
async function checkScript({ config }: Pick<ScriptDeps, 'config'>, scriptText: string, scriptType: ScriptType) {
  const parsedScript = await parseScriptInThread(scriptText, scriptType)
  if (!parsedScript.ok) return parsedScript
  const errors = findStepErrors(parsedScript.script, { allowsEval: config.CLEARWAY_SCRIPT_EVAL })
  return errors.length > 0 ? { ok: false as const, errors } : parsedScript
}

const invalidScriptMessage = 'Please upload a valid script file.'

/** Validates the text of a script of a type; an invalid text is a result, not an error. */
export async function validateScript(deps: Pick<ScriptDeps, 'config'>, scriptText: string, scriptType: ScriptType) {
  const parsedScript = await checkScript(deps, scriptText, scriptType)
  if (parsedScript.ok) return { success: true as const, name: parsedScript.script.name, variables: parsedScript.script.variables }
  return {
    success: false as const,
    message: invalidScriptMessage,
    code: 'invalid-script',
    params: {},
    errors: parsedScript.errors,
  }
}

/** Maximum length of scripts that a list parses, in characters: of each, and of all together. */
const maxMeasuredLength = 4096
const maxMeasuredTotal = 50_000

function measureScript(scriptText: string, scriptType: ScriptType) {
  const parsedScript = parseScript(scriptText, scriptType)
  if (!parsedScript.ok) return null
  const { globalSteps, pages } = parsedScript.script
  const steps = pages.flatMap((page) => [...globalSteps, ...page.steps])
  return { pages: pages.length, steps: steps.length, analyses: steps.filter(({ action }) => action.do === 'analyze').length }
}

export async function listScriptSummaries(deps: ScriptDeps, query: z.output<(typeof scriptApi.listScripts)['query']>) {
  const { rows: scriptRows, total: totalScripts } = await listScripts(deps, query)
  let measuredLength = 0
  const takeLength = ({ length }: string): boolean =>
    length <= maxMeasuredLength && (measuredLength += length) <= maxMeasuredTotal
  const scriptSummaries = scriptRows.map((row) => ({
    id: row.id,
    name: row.name,
    type: row.type,
    assignedScanCount: row.used,
    scanNames: row.scan_names,
    size: takeLength(row.content) ? measureScript(row.content, row.type) : null,
    variables: row.variables.map(({ name }) => name),
    updatedAt: row.updated_at.toISOString(),
  }))
  return buildPageReply(scriptSummaries, totalScripts, query)
}

export const listScriptNames = (deps: ScriptDeps, query: { shared: boolean; type?: ScriptType | undefined }) =>
  readScriptNames(deps, query.shared, query.type)

const toScriptReply = (scriptRow: ScriptRow) => ({
  id: scriptRow.id,
  settings: {
    name: scriptRow.name,
    type: scriptRow.type,
    text: scriptRow.content,
    variables: scriptRow.variables.map((variable) => ({ ...variable, value: null })),
  },
  version: scriptRow.version,
  assignedScanCount: scriptRow.used,
})

export async function getScriptSettings(deps: ScriptDeps, scriptId: string) {
  const scriptRow = await findScript(deps, scriptId)
  return scriptRow ? toScriptReply(scriptRow) : refuse('not-found')
}

/** The first errors of a script text as errors of its field, with their positions. */
async function findTextErrors(
  deps: ScriptDeps,
  errorPath: string,
  { text: scriptText, type: scriptType }: Pick<ScriptBody, 'text' | 'type'>,
): Promise<FieldError[]> {
  const parsedScript = await checkScript(deps, scriptText, scriptType)
  if (parsedScript.ok) return []
  return parsedScript.errors.slice(0, 5).map(({ code, line, column, expected }) => ({
    path: errorPath,
    code: 'invalid',
    params: { reason: code, line, column, expected },
  }))
}

type SaveResult = 'saved' | 'name-taken' | 'edit-conflict'

async function storeScript(
  deps: ScriptDeps,
  scriptId: string,
  body: ScriptBody,
  pathPrefix: string,
  previousRow: ScriptRow | null,
  writeScript: (values: { values: ScriptValues; saveRelated: (trx: ScriptDeps['db']) => Promise<void> }) => Promise<SaveResult>,
) {
  const invalidNameError = findNameError('name', body.name)
  const secretChanges = await prepareSecrets(deps, scriptId, listVariableSecrets('variables', body.variables), () =>
    // A changed text could type the stored values anywhere.
    hasSameScripts(
      { own: [body], variables: body.variables },
      { own: previousRow ? [{ text: previousRow.content, type: previousRow.type }] : [] },
    ),
  )
  const fieldErrors = [
    ...(invalidNameError ? [invalidNameError] : []),
    ...(await findTextErrors(deps, 'text', body)),
    ...findVariableErrors('variables', body.variables),
    ...secretChanges.errors,
  ].map((error) => ({ ...error, path: pathPrefix + error.path }))
  if (fieldErrors.length > 0) return refuse('validation-failed', { errors: fieldErrors })
  const { name: scriptName, type: scriptType, text: scriptText, variables: scriptVariables } = body
  const scriptValues = {
    name: scriptName,
    type: scriptType,
    text: scriptText,
    variables: scriptVariables.map((one) => ({ name: one.name, locked: one.locked })),
  }
  const saveResult = await writeScript({ values: scriptValues, saveRelated: secretChanges.write })
  if (saveResult === 'name-taken')
    return refuse('name-taken', {
      errors: [{ path: `${pathPrefix}name`, code: 'name-taken', params: { value: scriptName } }],
    })
  if (saveResult === 'edit-conflict')
    return refuse('edit-conflict', { detail: 'The script was changed since you opened it. Load it again.' })
  return getScriptSettings(deps, scriptId)
}

export function createScript(deps: ScriptDeps, caller: Caller, body: ScriptBody) {
  const scriptId = createId()
  return storeScript(deps, scriptId, body, '', null, ({ values, saveRelated }) =>
    insertScript(deps, { id: scriptId, createdBy: caller.id, values }, saveRelated),
  )
}

const refuseInUse = (name: string): Refusal =>
  refuse('in-use', {
    detail: `The shared script ${name} is currently applied to one or more scans. Please remove it from those scans before proceeding with deletion.`,
  })

export async function updateScript(deps: ScriptDeps, scriptId: string, update: { settings: ScriptBody; version: number }) {
  const scriptRow = await findScript(deps, scriptId)
  if (!scriptRow) return refuse('not-found')
  // A scan has at most one sign-in script, so a changed type could break scans that use the script.
  if (scriptRow.used > 0 && scriptRow.type !== update.settings.type)
    return refuse('in-use', {
      detail: `The shared script ${scriptRow.name} is applied to scans: its type cannot change.`,
    })
  return storeScript(deps, scriptId, update.settings, 'settings.', scriptRow, ({ values, saveRelated }) =>
    replaceScript(deps, { id: scriptId, version: update.version, values }, saveRelated),
  )
}

export async function deleteScript(deps: ScriptDeps, scriptId: string): Promise<void | Refusal> {
  const scriptRow = await findScript(deps, scriptId)
  if (!scriptRow) return refuse('not-found')
  const removal = await removeScript(deps, scriptId)
  if (removal === 'in-use') return refuseInUse(scriptRow.name)
  return removal === 'not-found' ? refuse('not-found') : undefined
}

/** Errors of a scan's scripts: invalid texts, unknown shared scripts, more than one sign-in script. */
export async function findScanScriptErrors(
  deps: ScriptDeps,
  { scripts, session }: Pick<ScanSettings, 'scripts' | 'session'>,
): Promise<FieldError[]> {
  const sharedScripts = await findScriptsByIds(deps, scripts.shared)
  const typesById = new Map(sharedScripts.map((row) => [row.id, row.type]))
  const textErrorPromises = scripts.own.map((script, index) => findTextErrors(deps, `scripts.own.${index}.text`, script))
  const fieldErrors: FieldError[] = (await Promise.all(textErrorPromises)).flat()
  scripts.own.forEach(({ name }, index) => {
    if (scripts.own.findIndex((other) => other.name === name) < index)
      fieldErrors.push({ path: `scripts.own.${index}.name`, code: 'duplicate', params: { value: name } })
  })
  scripts.shared.forEach((scriptId, index) => {
    const errorPath = `scripts.shared.${index}`
    if (!typesById.has(scriptId)) fieldErrors.push({ path: errorPath, code: 'unknown-value', params: { value: scriptId } })
    else if (scripts.shared.indexOf(scriptId) < index)
      fieldErrors.push({ path: errorPath, code: 'duplicate', params: { value: scriptId } })
  })
  const sharedSessionCount = scripts.shared.filter((id) => typesById.get(id) === 'SESSION').length
  const sessionScriptCount = scripts.own.filter(({ type }) => type === 'SESSION').length + sharedSessionCount
  if (sharedSessionCount > 0 && session.connection?.authType === 'form') fieldErrors.push(createSignInConflict())
  if (sessionScriptCount > 1) fieldErrors.push({ path: 'scripts', code: 'too-big', params: { max: 1 } })
  const lockedVariables = new Set(sharedScripts.flatMap(listLockedNames))
  scripts.variables.forEach(({ name }, index) => {
    const errorPath = `scripts.variables.${index}.name`
    if (lockedVariables.has(name)) fieldErrors.push({ path: errorPath, code: 'locked-by-script', params: { value: name } })
  })
  return [...fieldErrors, ...findVariableErrors('scripts.variables', scripts.variables)]
}

const listLockedNames = ({ variables }: Pick<ScriptRow, 'variables'>): string[] =>
  variables.filter(({ locked }) => locked).map(({ name }) => name)

export type RunScript = { name: string; type: ScriptType; text: string; variables: { name: string; value: string }[] }

/** Scripts of a run with the values of their variables. The scan's value takes precedence over a shared script's, unless locked there. */
export async function readRunScripts(
  deps: SecretDeps,
  scripts: ScanSettings['scripts'],
): Promise<{ scripts: RunScript[]; missing: string[] }> {
  const sharedRows = await findScriptsByIds(deps, scripts.shared)
  const missingVariables: string[] = []
  const ownVariables = scripts.variables.flatMap(({ name, value }) => {
    if (value === null) missingVariables.push(name)
    return value === null ? [] : [{ name, value }]
  })
  const sharedScripts: RunScript[] = []
  for (const sharedRow of scripts.shared.flatMap(
    (scriptId) => sharedRows.find((sharedCandidate) => sharedCandidate.id === scriptId) ?? [],
  )) {
    const readSecret = await createSecretReader(deps, sharedRow.id)
    const lockedVariables = new Set(listLockedNames(sharedRow))
    const allowedVariables = ownVariables.filter(({ name }) => !lockedVariables.has(name))
    const allowedNames = new Set(allowedVariables.map(({ name }) => name))
    const sharedVariables = sharedRow.variables
      .filter(({ name }) => !allowedNames.has(name))
      .flatMap(({ name }) => {
        const secretValue = readSecret(`variable ${name}`)
        if (secretValue === null) missingVariables.push(name)
        return secretValue === null ? [] : [{ name, value: secretValue }]
      })
    sharedScripts.push({
      name: sharedRow.name,
      type: sharedRow.type,
      text: sharedRow.content,
      variables: [...allowedVariables, ...sharedVariables],
    })
  }
  return {
    scripts: [...scripts.own.map((script) => ({ ...script, variables: ownVariables })), ...sharedScripts],
    missing: missingVariables,
  }
}
