import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Delivery } from '@clearway/contract/monitor/notification/schema.ts'
import type * as z from 'zod/mini'

type AnyDelivery = z.output<typeof Delivery>

export const webhookEventLabels: Record<AnyDelivery['event'], MessageDescriptor> = {
  finished: msg`A run is complete`,
  failed: msg`A run failed`,
  'new-issues': msg`A run found new issues`,
  test: msg`Test message`,
}
export const deliveryStatusLabels: Record<AnyDelivery['status'], MessageDescriptor> = {
  waiting: msg`Retrying`,
  delivered: msg`Delivered`,
  failed: msg`Not delivered`,
}
