import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { ScriptError, ScriptType } from '@clearway/contract/monitor/script/schema.ts'

export const typeWords: Record<ScriptType, MessageDescriptor> = {
  TASK: msg`User flow`,
  SESSION: msg`Sign-in`,
}

/** What each fault of a script is called; where it is and what was expected stands beside it. */
export const scriptFaultWords: Record<ScriptError['code'], MessageDescriptor> = {
  syntax: msg`This cannot be read`,
  'too-long': msg`The script is too long`,
  'too-deep': msg`The script is nested too deeply`,
  'missing-field': msg`A field is missing`,
  'unknown-field': msg`This field is not known`,
  'wrong-type': msg`This is something else than expected`,
  empty: msg`This is empty`,
  'one-project': msg`There is more than one project`,
  'too-many': msg`There are too many`,
  'unknown-action': msg`This action is not known`,
  'bad-action': msg`This action is not complete`,
  'bad-url': msg`This is not a web address`,
  'no-analyze': msg`Nothing is analysed`,
  'analyze-in-session': msg`A script that signs in analyses nothing`,
}
