import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Delivery } from '@clearway/contract/monitor/notification/schema.ts'
import type * as z from 'zod/mini'

type Told = z.output<typeof Delivery>

/** When an address is told. */
export const eventWords: Record<Told['event'], MessageDescriptor> = {
  finished: msg`A run is complete`,
  failed: msg`A run failed`,
  'new-issues': msg`A run found new issues`,
  test: msg`Test message`,
}
export const deliveryWords: Record<Told['status'], MessageDescriptor> = {
  waiting: msg`Retrying`,
  delivered: msg`Delivered`,
  failed: msg`Not delivered`,
}
