import { hasPermission, type Role } from '@clearway/contract/kit/permission.ts'
import { normalizeName } from '@clearway/contract/kit/name.ts'
import type { Priority } from '@clearway/contract/monitor/scan/schema.ts'
import { findNameError } from '@clearway/contract/monitor/scan/settings/model.ts'
import type * as z from 'zod/mini'
import { defineStoredWords } from '../../kit/stored-word.ts'

export const getScanRights = (role: Role) => ({
  run: hasPermission(role, 'scan.run'),
  manage: hasPermission(role, 'scan.manage'),
  discuss: hasPermission(role, 'scan.discuss'),
  curate: hasPermission(role, 'scan.curate'),
  export: hasPermission(role, 'scan.export'),
})

/** Stored by index. Never reorder. */
export const priorities = defineStoredWords<z.output<typeof Priority>>()(['high', 'medium', 'low'])

/** Result of a name check; an invalid name is a result, not an error. */
export type NameValidity =
  | { success: true }
  | { success: false; message: string; code: string; params: Record<string, string | number> }

type NameCheck = {
  name: string
  /** Maximum length in characters. */
  maxLength: number
  /** Kind of the named thing in messages, such as "scan". */
  nounInMessage: string
  isTaken: (name: string) => Promise<boolean>
}

export async function checkName({ name, maxLength, nounInMessage, isTaken }: NameCheck): Promise<NameValidity> {
  const trimmedName = normalizeName(name)
  const createInvalidResult = (code: string, message: string, params = {}): NameValidity => ({
    success: false,
    code,
    message,
    params,
  })
  if (trimmedName.length > maxLength)
    return createInvalidResult('too-long', `At most ${maxLength} characters.`, { max: maxLength })
  const nameFieldError = findNameError('name', trimmedName)
  if (nameFieldError?.code === 'required') return createInvalidResult('required', 'Enter a name.')
  if (nameFieldError) return createInvalidResult(nameFieldError.code, 'A name has no line breaks or other control characters.')
  if (await isTaken(trimmedName))
    return createInvalidResult('name-taken', `Another ${nounInMessage} has this name.`, { value: trimmedName })
  return { success: true }
}
