import { msg } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import type { ApiScope } from '@clearway/contract/monitor/user/key/schema.ts'

export const scopeLabels: Readonly<Record<ApiScope, MessageDescriptor>> = {
  read: msg`Read`,
  run: msg`Start and cancel runs`,
  manage: msg`Create, change and delete scans, groups and presets`,
}
