import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import { getFieldErrorMessage } from '../../../kit/client/problem-text.ts'
import { getFieldInfo } from './field-table.ts'

const oneSessionMessage = msg`At most one script of a scan may sign in.`
const vagueCodes: ReadonlySet<string> = new Set<FieldError['code']>(['wrong-format', 'wrong-type', 'invalid'])

/** Returns the error message of a settings field, with the expected format if the code alone is vague. */
export function getFaultText(field: string, code: string, params: FieldError['params']): MessageDescriptor {
  if (field === 'sharedTasks' && code === 'too-big') return oneSessionMessage
  const formatMessage = vagueCodes.has(code) ? getFieldInfo(field).format : undefined
  return formatMessage ?? getFieldErrorMessage(code, params)
}
