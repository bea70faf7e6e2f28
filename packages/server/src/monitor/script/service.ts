import type { FieldError } from '@clearway/contract/kit/problem.ts'
import type { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { parseScript } from '@clearway/contract/monitor/script/model.ts'
import type { ScriptBody, ScriptType } from '@clearway/contract/monitor/script/schema.ts'
import type * as z from 'zod/mini'
import type { scriptApi } from '@clearway/contract/monitor/script/api.ts'
import { type Caller, type Refusal, refuse } from '../../kit/http/answer.ts'
import { inThread } from '../../kit/thread-pool.ts'
import { newId } from '../../kit/id.ts'
import { pageReply } from '../../kit/paging.ts'
import { findNameError } from '../scan/model.ts'
import { scriptsStay, variableErrors, variableSecrets } from '../session/model.ts'
import { keepSecrets, readSecrets, type SecretDeps } from '../session/service.ts'
import {
  findScript,
  insertScript,
  listScripts,
  removeScript,
  replaceScript,
  scriptNames,
  scriptsByIds,
  type ScriptRow,
  type ScriptValues,
} from './store.ts'

export type ScriptDeps = SecretDeps

const scriptReader = import.meta.resolve('@clearway/contract/monitor/script/model.ts')
/** Reads a script apart from all else: a long one takes seconds. */
export const readScript = (text: string, type: ScriptType) => inThread(parseScript, scriptReader, text, type)

const invalid = 'Please upload a valid script file.'

/** Whether a text is a script of that type; never an error for one that is merely wrong. */
export async function validateScript(text: string, type: ScriptType) {
  const parsed = await readScript(text, type)
  if (parsed.ok)
    return { success: true as const, name: parsed.script.name, variables: parsed.script.variables }
  return {
    success: false as const,
    message: invalid,
    code: 'invalid-script',
    params: {},
    errors: parsed.errors,
  }
}

export async function scriptsFor(deps: ScriptDeps, query: z.output<(typeof scriptApi.listScripts)['query']>) {
  const { rows, total } = await listScripts(deps, query)
  const content = rows.map((row) => ({
    id: row.id,
    name: row.name,
    type: row.type,
    assignedScanCount: row.used,
    variables: row.variables.map(({ name }) => name),
    updatedAt: row.updated_at.toISOString(),
  }))
  return pageReply(content, total, query)
}

export const namesFor = (deps: ScriptDeps, query: { shared: boolean; type?: ScriptType | undefined }) =>
  scriptNames(deps, query.shared, query.type)

const stored = (row: ScriptRow) => ({
  id: row.id,
  settings: {
    name: row.name,
    type: row.type,
    text: row.content,
    variables: row.variables.map((variable) => ({ ...variable, value: null })),
  },
  version: row.version,
  assignedScanCount: row.used,
})

export async function scriptSettings(deps: ScriptDeps, id: string) {
  const row = await findScript(deps, id)
  return row ? stored(row) : refuse('not-found')
}

/** The first fault of a script as an error of its field, with its place. */
async function textErrors(path: string, text: string, type: ScriptType): Promise<FieldError[]> {
  const parsed = await readScript(text, type)
  if (parsed.ok) return []
  return parsed.errors.slice(0, 5).map(({ code, line, column, expected }) => ({
    path,
    code: 'invalid',
    params: { reason: code, line, column, expected },
  }))
}

type Saved = 'saved' | 'name-taken' | 'edit-conflict'

async function store(
  deps: ScriptDeps,
  id: string,
  body: ScriptBody,
  prefix: string,
  before: ScriptRow | null,
  write: (values: { values: ScriptValues; also: (trx: ScriptDeps['db']) => Promise<void> }) => Promise<Saved>,
) {
  const bad = findNameError('name', body.name)
  const secrets = await keepSecrets(deps, id, variableSecrets('variables', body.variables), () =>
    // Another text could type them anywhere.
    scriptsStay(
      { own: [body], variables: body.variables },
      { own: before ? [{ text: before.content, type: before.type }] : [] },
    ),
  )
  const errors = [
    ...(bad ? [bad] : []),
    ...(await textErrors('text', body.text, body.type)),
    ...variableErrors('variables', body.variables),
    ...secrets.errors,
  ].map((error) => ({ ...error, path: prefix + error.path }))
  if (errors.length > 0) return refuse('validation-failed', { errors })
  const { name, type, text, variables } = body
  const values = {
    name,
    type,
    text,
    variables: variables.map((one) => ({ name: one.name, locked: one.locked })),
  }
  const saved = await write({ values, also: secrets.write })
  if (saved === 'name-taken')
    return refuse('name-taken', {
      errors: [{ path: `${prefix}name`, code: 'name-taken', params: { value: name } }],
    })
  if (saved === 'edit-conflict')
    return refuse('edit-conflict', { detail: 'The script was changed since you opened it. Load it again.' })
  return scriptSettings(deps, id)
}

export function createScript(deps: ScriptDeps, caller: Caller, body: ScriptBody) {
  const id = newId()
  return store(deps, id, body, '', null, ({ values, also }) =>
    insertScript(deps, { id, createdBy: caller.id, values }, also),
  )
}

/** What is said where a shared script is still in use. */
const inUse = (name: string): Refusal =>
  refuse('in-use', {
    detail: `The shared script ${name} is currently applied to one or more scans. Please remove it from those scans before proceeding with deletion.`,
  })

export async function updateScript(
  deps: ScriptDeps,
  id: string,
  update: { settings: ScriptBody; version: number },
) {
  const row = await findScript(deps, id)
  if (!row) return refuse('not-found')
  // A scan has one script that signs in: another type would break what it is used for.
  if (row.used > 0 && row.type !== update.settings.type)
    return refuse('in-use', {
      detail: `The shared script ${row.name} is applied to scans: its type cannot change.`,
    })
  return store(deps, id, update.settings, 'settings.', row, ({ values, also }) =>
    replaceScript(deps, { id, version: update.version, values }, also),
  )
}

export async function deleteScript(deps: ScriptDeps, id: string): Promise<void | Refusal> {
  const row = await findScript(deps, id)
  if (!row) return refuse('not-found')
  return (await removeScript(deps, id)) === 'gone' ? undefined : inUse(row.name)
}

/** What is wrong with the scripts of a scan: their texts, shared ones that are not there, more than one that signs in. */
export async function scanScriptErrors(
  deps: ScriptDeps,
  scripts: ScanSettings['scripts'],
): Promise<FieldError[]> {
  const shared = await scriptsByIds(deps, scripts.shared)
  const typeOf = new Map(shared.map((row) => [row.id, row.type]))
  const read = scripts.own.map(({ text, type }, index) => textErrors(`scripts.own.${index}.text`, text, type))
  const errors: FieldError[] = (await Promise.all(read)).flat()
  scripts.own.forEach(({ name }, index) => {
    if (scripts.own.findIndex((other) => other.name === name) < index)
      errors.push({ path: `scripts.own.${index}.name`, code: 'duplicate', params: { value: name } })
  })
  scripts.shared.forEach((id, index) => {
    const path = `scripts.shared.${index}`
    if (!typeOf.has(id)) errors.push({ path, code: 'unknown-value', params: { value: id } })
    else if (scripts.shared.indexOf(id) < index)
      errors.push({ path, code: 'duplicate', params: { value: id } })
  })
  const sessions =
    scripts.own.filter(({ type }) => type === 'SESSION').length +
    scripts.shared.filter((id) => typeOf.get(id) === 'SESSION').length
  if (sessions > 1) errors.push({ path: 'scripts', code: 'too-big', params: { max: 1 } })
  const locked = new Set(shared.flatMap(lockedNames))
  scripts.variables.forEach(({ name }, index) => {
    const path = `scripts.variables.${index}.name`
    if (locked.has(name)) errors.push({ path, code: 'locked-by-script', params: { value: name } })
  })
  return [...errors, ...variableErrors('scripts.variables', scripts.variables)]
}

const lockedNames = ({ variables }: Pick<ScriptRow, 'variables'>): string[] =>
  variables.filter(({ locked }) => locked).map(({ name }) => name)

export type RunScript = {
  name: string
  type: ScriptType
  text: string
  variables: { name: string; value: string }[]
}

/** The scripts of a run with the values of their variables. The scan's own value comes before that of a shared script, where that one does not decide it. */
export async function scriptsForRun(
  deps: ScriptDeps,
  scripts: ScanSettings['scripts'],
): Promise<{ scripts: RunScript[]; missing: string[] }> {
  const rows = await scriptsByIds(deps, scripts.shared)
  const missing: string[] = []
  const own = scripts.variables.flatMap(({ name, value }) => {
    if (value === null) missing.push(name)
    return value === null ? [] : [{ name, value }]
  })
  const shared: RunScript[] = []
  for (const row of scripts.shared.flatMap((id) => rows.find((found) => found.id === id) ?? [])) {
    const secret = await readSecrets(deps, row.id)
    const locked = new Set(lockedNames(row))
    const mine = own.filter(({ name }) => !locked.has(name))
    const named = new Set(mine.map(({ name }) => name))
    const theirs = row.variables
      .filter(({ name }) => !named.has(name))
      .flatMap(({ name }) => {
        const value = secret(`variable ${name}`)
        if (value === null) missing.push(name)
        return value === null ? [] : [{ name, value }]
      })
    shared.push({ name: row.name, type: row.type, text: row.content, variables: [...mine, ...theirs] })
  }
  return { scripts: [...scripts.own.map((script) => ({ ...script, variables: own })), ...shared], missing }
}
