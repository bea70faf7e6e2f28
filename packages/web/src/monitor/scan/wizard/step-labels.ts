import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { WizardStep } from '../form/step-name.ts'

export const stepLabels: Record<WizardStep, MessageDescriptor> = {
  general: msg`General`,
  preset: msg`Preset`,
  basic: msg`Basic settings`,
  components: msg`Common components`,
  scripts: msg`Scripts`,
  scope: msg`Scope`,
  session: msg`Session`,
  advanced: msg`Advanced`,
  access: msg`Teams and groups`,
  schedule: msg`Schedule`,
  review: msg`Review`,
}
