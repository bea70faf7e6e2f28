import type { ScriptId } from '@clearway/contract/kit/id.ts'
import type { DryRunBody } from '@clearway/contract/monitor/run/preview/schema.ts'
import type { ScriptBody, ScriptType } from '@clearway/contract/monitor/script/schema.ts'
import { variableName } from '@clearway/contract/monitor/script/schema.ts'
import * as z from 'zod/mini'
import { listSearch, sortParam } from '../../kit/list/search.ts'

/** The list of shared scripts as the address bar keeps it. */
export const ScriptSearch = z.object({
  ...listSearch,
  sort: sortParam(['name', 'type', 'assignedScanCount', 'updatedAt'], 'name,asc'),
})
export type ScriptSearch = z.output<typeof ScriptSearch>
export const scriptSearchDefaults = z.parse(ScriptSearch, {})

/** A variable as a form holds it. A value of null is the stored one, which nobody gets to see. */
export type VariableRow = { key: number; name: string; value: string | null; locked: boolean }
/** A shared script as a form holds it. */
export type ScriptValues = { name: string; type: ScriptType; text: string; variables: VariableRow[] }

export const emptyScript: ScriptValues = { name: '', type: 'TASK', text: '', variables: [] }

/** A form for a stored script. */
export const toValues = ({ name, type, text, variables }: ScriptBody): ScriptValues => ({
  name,
  type,
  text,
  variables: variables.map((variable, key) => ({ key, ...variable })),
})

/** What a form means, as the server takes it. */
export const toBody = ({ variables, ...values }: ScriptValues): ScriptBody => ({
  ...values,
  name: values.name.trim(),
  variables: variables.map(({ name, value, locked }) => ({ name: name.trim(), value, locked })),
})

/** What is tried of a form: variables that are not complete yet are no hindrance. Null where there is no script. */
export function toDryRun(id: ScriptId | null, values: ScriptValues): z.input<typeof DryRunBody> | null {
  const { text, type, variables } = toBody(values)
  if (text.trim() === '') return null
  const complete = variables.filter(({ name, value }) => name !== '' && value !== '')
  return {
    script: text,
    type,
    variables: complete.map(({ name, value }) => ({ name, value })),
    ...(id && { scriptId: id }),
  }
}

/** Rows for the variables that a script names and that have none yet. */
export function withMissing(rows: readonly VariableRow[], names: readonly string[]): VariableRow[] {
  const missing = names.filter((name) => !rows.some((row) => row.name === name))
  const first = Math.max(-1, ...rows.map(({ key }) => key)) + 1
  return [...rows, ...missing.map((name, i) => ({ key: first + i, name, value: '', locked: false }))]
}

export type VariableFault = {
  key: number
  part: 'name' | 'value'
  code: 'required' | 'wrong-format' | 'duplicate'
}

/** What is wrong with a list of variables: names are there, well formed and unique; values are there. */
export function variableFaults(rows: readonly VariableRow[]): VariableFault[] {
  return rows.flatMap(({ key, name, value }, i) => {
    const faults: VariableFault[] = []
    const own = name.trim()
    if (own === '') faults.push({ key, part: 'name', code: 'required' })
    else if (!variableName.test(own)) faults.push({ key, part: 'name', code: 'wrong-format' })
    else if (rows.slice(0, i).some((row) => row.name.trim() === own))
      faults.push({ key, part: 'name', code: 'duplicate' })
    if (value === '') faults.push({ key, part: 'value', code: 'required' })
    return faults
  })
}
