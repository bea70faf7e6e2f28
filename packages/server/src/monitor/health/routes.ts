import type { healthApi } from '@clearway/contract/monitor/health/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import { type HealthDeps, systemHealth } from './service.ts'

/** 503 with the same body while the system is down. The schema of the open call leaves nothing but states. */
export const healthHandlers = (deps: HealthDeps): Handlers<typeof healthApi> => {
  const answer = async () => {
    const health = await systemHealth(deps)
    return health.status === 'UP' ? health : { status: 503, body: health }
  }
  return { systemHealth: answer, systemHealthDetails: answer }
}
