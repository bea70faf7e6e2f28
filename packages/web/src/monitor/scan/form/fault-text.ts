import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import { get } from 'react-hook-form'
import { getFieldErrorMessage } from '../../../kit/client/problem-text.ts'
import { getFieldInfo } from './field-table.ts'
import { getUnitScale } from './setting-controls.ts'
import type { ScanForm } from './values.ts'

export type FormProblem = Pick<FieldError, 'path' | 'code' | 'params'>

const oneSessionMessage = msg`At most one script of a scan may sign in.`
const vagueCodes: ReadonlySet<string> = new Set<FieldError['code']>(['wrong-format', 'wrong-type', 'invalid'])
const emptyCodes: ReadonlySet<string> = new Set<FieldError['code']>(['too-short', 'wrong-type', 'wrong-format'])

const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'string' && value.trim() === '') || (Array.isArray(value) && value.length === 0)

/** Returns the code to show: an empty field is required, although its schema may call it too short. */
export const getShownCode = ({ path, code }: FormProblem, form: ScanForm): FieldError['code'] =>
  emptyCodes.has(code) && isEmpty(get(form, path)) ? 'required' : code

/** Returns the error message of a settings field, with the expected format if the code alone is vague. */
export function getFaultText(field: string, code: string, params: FieldError['params']): MessageDescriptor {
  if (field === 'scripts.shared' && code === 'too-big') return oneSessionMessage
  const formatMessage = vagueCodes.has(code) ? getFieldInfo(field).format : undefined
  return formatMessage ?? getFieldErrorMessage(code, params)
}

/** A limit in the units of a field, within which every whole number is accepted. */
const toWholeUnits = (limitName: string, limit: number): number => (limitName === 'min' ? Math.ceil(limit) : Math.floor(limit))

/**
 * Returns the message of a problem, whose path is relative to the settings, in the units of its field. `problem` must be a
 * variable of the caller: in a call with `t`, the macro of Lingui takes an object literal for a message.
 */
export function getProblemText(
  field: string,
  problem: FormProblem,
  form: ScanForm,
  t: (words: MessageDescriptor) => string,
): string {
  const { path, code, params } = problem
  const unitScale = getUnitScale(field)
  const shownParams = Object.fromEntries(
    Object.entries(params).map(([key, value]) => [key, typeof value === 'number' ? toWholeUnits(key, value / unitScale) : value]),
  )
  const errorText = t(getFaultText(field, getShownCode(problem, form), shownParams))
  // Problems do not repeat whole URLs, which may contain passwords.
  const wrongValue = code.startsWith('url-') ? (get(form, path) as string) : params['value']
  return /\.\d+$/.test(path) && wrongValue !== undefined ? `${wrongValue} – ${errorText}` : errorText
}
