import type { healthApi } from '@clearway/contract/monitor/health/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import { type HealthDeps, systemHealth } from './service.ts'

/** 503 with the same body while the system is down. */
export const healthHandlers = (deps: HealthDeps): Handlers<typeof healthApi> => ({
  systemHealth: async () => {
    const health = await systemHealth(deps)
    return health.status === 'UP' ? health : { status: 503, body: health }
  },
})
