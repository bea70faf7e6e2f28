import type { ScriptId } from '@clearway/contract/kit/id.ts'
import type { DryRunBody } from '@clearway/contract/monitor/run/preview/schema.ts'
import { type ScriptBody, type ScriptType, variableNamePattern } from '@clearway/contract/monitor/script/schema.ts'
import type * as z from 'zod/mini'

/** Variable in the form. A null value stands for the stored value, which is never shown. */
export type VariableRow = { key: number; name: string; value: string | null; locked: boolean }
export type ScriptValues = { name: string; type: ScriptType; text: string; variables: VariableRow[] }

export const emptyScript: ScriptValues = { name: '', type: 'TASK', text: '', variables: [] }

export const toFormValues = ({ name, type, text, variables }: ScriptBody): ScriptValues => ({
  name,
  type,
  text,
  variables: variables.map((variable, key) => ({ key, ...variable })),
})

export const toScriptBody = ({ variables, ...formValues }: ScriptValues): ScriptBody => ({
  ...formValues,
  name: formValues.name.trim(),
  variables: variables.map(({ name, value, locked }) => ({ name: name.trim(), value, locked })),
})

/** Returns the body of a dry run without incomplete variables; null without a script text. */
export function toDryRunBody(id: ScriptId | null, values: ScriptValues): z.input<typeof DryRunBody> | null {
  const { text: scriptText, type: scriptType, variables } = toScriptBody(values)
  if (scriptText.trim() === '') return null
  const completeVariables = variables.filter(({ name, value }) => name !== '' && value !== '')
  return {
    script: scriptText,
    type: scriptType,
    variables: completeVariables.map(({ name, value }) => ({ name, value })),
    ...(id && { scriptId: id }),
  }
}

/** Adds rows for variables that a script uses and that have no row. */
export function addMissingVariables(rows: readonly VariableRow[], usedNames: readonly string[]): VariableRow[] {
  const missingNames = usedNames.filter((name) => !rows.some((row) => row.name === name))
  const firstFreeKey = Math.max(-1, ...rows.map(({ key }) => key)) + 1
  return [...rows, ...missingNames.map((name, index) => ({ key: firstFreeKey + index, name, value: '', locked: false }))]
}

export type VariableFault = { key: number; part: 'name' | 'value'; code: 'required' | 'wrong-format' | 'duplicate' }

/** Finds missing, malformed and repeated names, and missing values. */
export function findVariableFaults(rows: readonly VariableRow[]): VariableFault[] {
  return rows.flatMap(({ key, name, value }, index) => {
    const rowFaults: VariableFault[] = []
    const trimmedName = name.trim()
    if (trimmedName === '') rowFaults.push({ key, part: 'name', code: 'required' })
    else if (!variableNamePattern.test(trimmedName)) rowFaults.push({ key, part: 'name', code: 'wrong-format' })
    else if (rows.slice(0, index).some((row) => row.name.trim() === trimmedName))
      rowFaults.push({ key, part: 'name', code: 'duplicate' })
    if (value === '') rowFaults.push({ key, part: 'value', code: 'required' })
    return rowFaults
  })
}
