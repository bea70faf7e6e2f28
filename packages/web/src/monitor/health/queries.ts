import type { SystemHealth, SystemHealthDetails } from '@clearway/contract/monitor/health/schema.ts'
import type { Problem } from '@clearway/contract/kit/problem.ts'
import { queryOptions } from '@tanstack/react-query'
import { ApiError } from '../../kit/client/client.ts'
import type { Session } from '../user/model.ts'

const everyMs = 15_000

/** What administrators and auditors see. One that is down answers 503 with the same body. */
export const healthDetailsQuery = ({ deps }: Session, isAttended: boolean) =>
  queryOptions({
    queryKey: ['health', 'details'],
    queryFn: async ({ signal }): Promise<SystemHealthDetails> => {
      const token = await deps.getToken()
      const headers: HeadersInit = token === null ? {} : { authorization: `Bearer ${token}` }
      const response = await fetch(`${deps.baseUrl}/actuator/health/details`, { signal, headers })
      const body = (await response.json()) as SystemHealthDetails | Problem
      if ('processes' in body) return body
      throw new ApiError(response.status, body)
    },
    refetchInterval: isAttended && everyMs,
    retry: false,
  })

/** The state of the system and its parts. One that is down answers 503 with the same body. */
export const systemHealthQuery = ({ deps }: Session) =>
  queryOptions({
    queryKey: ['health'],
    queryFn: async ({ signal }): Promise<SystemHealth> => {
      const response = await fetch(`${deps.baseUrl}/actuator/health/system`, { signal })
      if (response.status !== 200 && response.status !== 503) throw new ApiError(response.status, null)
      return (await response.json()) as SystemHealth
    },
    refetchInterval: everyMs,
    retry: false,
  })
