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
const deliveryStatusLabels: Record<AnyDelivery['status'], MessageDescriptor> = {
  waiting: msg`Retrying`,
  delivered: msg`Delivered`,
  failed: msg`Not delivered`,
}
const waitingLabel = msg`Waiting`
/** Returns the state of a delivery. A message that no attempt has failed to deliver is not retried. */
export const getDeliveryLabel = ({
  status,
  lastStatus,
  lastError,
}: Pick<AnyDelivery, 'status' | 'lastStatus' | 'lastError'>): MessageDescriptor =>
  status === 'waiting' && lastStatus === null && lastError === null ? waitingLabel : deliveryStatusLabels[status]
