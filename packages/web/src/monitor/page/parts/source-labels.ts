import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { PageSource } from '@clearway/contract/monitor/page/schema.ts'

/** Labels for the origin of results. */
export const sourceLabels: Record<PageSource, MessageDescriptor> = {
  automated: msg`Scanned`,
  uploaded: msg`Uploaded`,
}
