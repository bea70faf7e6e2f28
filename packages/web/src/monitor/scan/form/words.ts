import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import { getFieldErrorMessage } from '../../../kit/client/problem-text.ts'
import { aboutField } from './field-table.ts'

const oneSession = msg`At most one script of a scan may sign in.`
const vague: ReadonlySet<string> = new Set<FieldError['code']>(['wrong-format', 'wrong-type', 'invalid'])

/** What is wrong with a field of a scan's settings, as a sentence that says what it takes. */
export function faultText(field: string, code: string, params: FieldError['params']): MessageDescriptor {
  if (field === 'sharedTasks' && code === 'too-big') return oneSession
  const said = vague.has(code) ? aboutField(field).format : undefined
  return said ?? getFieldErrorMessage(code, params)
}
