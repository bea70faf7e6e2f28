import type { SystemHealth, SystemHealthDetails } from '@clearway/contract/monitor/health/schema.ts'
import type { Problem } from '@clearway/contract/kit/problem.ts'
import { queryOptions } from '@tanstack/react-query'
import { ApiError } from '../../kit/client/client.ts'
import type { Session } from '../user/model.ts'

const pollIntervalMs = 15_000

/** Loads the details for administrators and auditors. A system that is down returns 503 with the same body. */
export const healthDetailsQuery = ({ deps }: Session, isUserActive: boolean) =>
  queryOptions({
    queryKey: ['health', 'details'],
    queryFn: async ({ signal }): Promise<SystemHealthDetails> => {
      const accessToken = await deps.getToken()
      const requestHeaders: HeadersInit = accessToken === null ? {} : { authorization: `Bearer ${accessToken}` }
      const healthResponse = await fetch(`${deps.baseUrl}/actuator/health/details`, { signal, headers: requestHeaders })
      const healthBody = (await healthResponse.json()) as SystemHealthDetails | Problem
      if ('processes' in healthBody) return healthBody
      throw new ApiError(healthResponse.status, healthBody)
    },
    refetchInterval: isUserActive && pollIntervalMs,
    retry: false,
  })

/** Loads the state of the system and its components. A system that is down returns 503 with the same body. */
export const systemHealthQuery = ({ deps }: Session) =>
  queryOptions({
    queryKey: ['health'],
    queryFn: async ({ signal }): Promise<SystemHealth> => {
      const healthResponse = await fetch(`${deps.baseUrl}/actuator/health/system`, { signal })
      if (healthResponse.status !== 200 && healthResponse.status !== 503) throw new ApiError(healthResponse.status, null)
      return (await healthResponse.json()) as SystemHealth
    },
    refetchInterval: pollIntervalMs,
    retry: false,
  })
