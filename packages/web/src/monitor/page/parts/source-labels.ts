import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { PageSource } from '@clearway/contract/monitor/page/schema.ts'

export const sourceLabels: Record<PageSource, MessageDescriptor> = {
  automated: msg`Scanned`,
  uploaded: msg`Uploaded`,
}
