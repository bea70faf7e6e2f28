import type { ChangeCounts } from '@clearway/contract/monitor/run/schema.ts'

/** Returns true if untested issues alone may explain that fewer are open, or that the score is higher. */
export const hasMoreUntestedThanFixed = ({ notRechecked, fixed }: Pick<ChangeCounts, 'notRechecked' | 'fixed'>): boolean =>
  notRechecked > fixed
