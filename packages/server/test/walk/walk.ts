import { adminSteps } from './admin.ts'
import { accountSteps, bulkSteps, issueSteps } from './issue.ts'
import { scanSteps } from './scan.ts'
import type { Step } from './step.ts'

/**
 * The calls of the API, line by line, ordered so that each call finds the objects that it needs. Deletions are in
 * `lastSteps`. Uploads need a separate form.
 */
export const walk: readonly Step[] = [
  { source: 'Config and identity', call: 'GET /config', permission: 'open', service: 'origin', has: { productName: 'Clearway' } },
  {
    source: 'Health',
    call: 'GET /actuator/health/system',
    permission: 'open',
    has: { details: { migrations: { status: 'COMPLETE' } } },
  },
  {
    source: 'Health',
    call: 'GET /actuator/health/details',
    permission: 'admin.see',
    has: { details: { migrations: { status: 'COMPLETE' } } },
  },
  ...scanSteps,
  ...issueSteps,
  ...bulkSteps,
  ...accountSteps,
  ...adminSteps,
]
