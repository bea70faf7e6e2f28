import type { SystemHealth } from '@clearway/contract/monitor/health/schema.ts'
import { queryOptions } from '@tanstack/react-query'
import { ApiError } from '../../kit/client/client.ts'
import type { Session } from '../user/model.ts'

const everyMs = 15_000

/** The state of the system and its parts. One that is down answers 503 with the same body. */
export const systemHealthQuery = ({ deps }: Session) =>
  queryOptions({
    queryKey: ['health'],
    queryFn: async ({ signal }): Promise<SystemHealth> => {
      const response = await fetch(`${deps.base}/actuator/health/system`, { signal })
      if (response.status !== 200 && response.status !== 503) throw new ApiError(response.status, null)
      return (await response.json()) as SystemHealth
    },
    refetchInterval: everyMs,
    retry: false,
  })
