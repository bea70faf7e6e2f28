import type { healthApi } from '@clearway/contract/monitor/health/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import { type HealthDeps, getSystemHealth } from './service.ts'

/** HTTP handlers for health: 503 with the same body while the system is down. The schema of the open call strips all but states. */
export const healthHandlers = (deps: HealthDeps): Handlers<typeof healthApi> => {
  const respondWithHealth = async () => {
    const healthDetails = await getSystemHealth(deps)
    return healthDetails.status === 'UP' || healthDetails.status === 'DEGRADED'
      ? healthDetails
      : { status: 503, body: healthDetails }
  }
  return { systemHealth: respondWithHealth, systemHealthDetails: respondWithHealth }
}
