import { adminSteps } from './admin.ts'
import { accountSteps, bulkSteps, issueSteps } from './issue.ts'
import { scanSteps } from './scan.ts'
import type { Step } from './step.ts'

/**
 * The calls of the API, line by line, in an order in which each call finds what it needs; what deletes is `lastSteps`. Uploading takes a form of its
 * own.
 */
export const walk: readonly Step[] = [
  {
    source: 'Config and identity',
    call: 'GET /config',
    permission: 'open',
    service: 'origin',
    has: { productName: 'Clearway' },
  },
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
