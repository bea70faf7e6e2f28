import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import { getFieldErrorMessage } from '../../../kit/client/problem-text.ts'
import type { ScriptError, ScriptType } from '@clearway/contract/monitor/script/schema.ts'
import type { ActionName } from './example.ts'

export const scriptTypeLabels: Record<ScriptType, MessageDescriptor> = {
  TASK: msg`User flow`,
  SESSION: msg`Sign-in`,
}

export const actionDescriptions: Record<ActionName, MessageDescriptor> = {
  click: msg`Press an element`,
  type: msg`Fill in a field`,
  press: msg`Press a key`,
  select: msg`Choose from a list`,
  'wait-for': msg`Wait until an element is there`,
  wait: msg`Wait a while: ms, s or m`,
  dismiss: msg`Close a banner or overlay, if there is one`,
  analyze: msg`Test the page as it is now; not allowed in a sign-in script`,
  eval: msg`Run JavaScript, where the server allows it`,
}

export const variableNameRule = msg`Use letters, digits and underscores, beginning with a letter, as in PASSWORD_1.`

export const getVariableFaultMessage = (code: string, params: FieldError['params'] = {}): MessageDescriptor =>
  code === 'wrong-format' ? variableNameRule : getFieldErrorMessage(code, params)

/** Labels of script errors; position and expected text are shown separately. */
export const scriptErrorLabels: Record<ScriptError['code'], MessageDescriptor> = {
  syntax: msg`This cannot be read`,
  'too-long': msg`The script is too long`,
  'too-deep': msg`The script is nested too deeply`,
  'missing-field': msg`A field is missing`,
  'unknown-field': msg`This field is not known`,
  'wrong-type': msg`This is not what was expected here`,
  empty: msg`This is empty`,
  'one-project': msg`There is more than one project`,
  'too-many': msg`There are too many`,
  'unknown-action': msg`This action is not known`,
  'bad-action': msg`This action is not complete`,
  'bad-url': msg`Not a URL`,
  'no-analyze': msg`The script tests no page`,
  'analyze-in-session': msg`A sign-in script must not test pages`,
}
