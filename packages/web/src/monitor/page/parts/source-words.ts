import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { PageSource } from '@clearway/contract/monitor/page/schema.ts'

/** Where the results of a page, and so its issues, are from. */
export const sourceWords: Record<PageSource, MessageDescriptor> = {
  automated: msg`Scanned`,
  uploaded: msg`Uploaded`,
}
