import type { Endpoint } from '@clearway/contract/kit/endpoint.ts'
import { createHash } from 'node:crypto'
import rateLimit from '@fastify/rate-limit'
import { ApiScope } from '@clearway/contract/monitor/user/key/schema.ts'
import { type publicApi, publicApiByScope } from '@clearway/contract/monitor/user/public/api.ts'
import type { FastifyInstance } from 'fastify'
import type { Handlers } from '../kit/http/answer.ts'
import { addPagingHeaders } from '../kit/http/paging-header.ts'
import { sendProblem } from '../kit/http/problem.ts'
import { type Guard, registerEndpoints } from '../kit/http/register.ts'
import type { MonitorDb } from '../monitor/database.ts'
import { createPublicGuard } from '../monitor/user/key/service.ts'

/** Serves the public API: the product's handlers behind another guard, with paging headers and a rate limit by key or address. */
export async function startPublicApi(
  app: FastifyInstance,
  deps: {
    db: MonitorDb
    authorise: Guard['authorize']
    handlers: Handlers<typeof publicApi>
    perMinute: number
    isReady: () => boolean
  },
): Promise<void> {
  await app.register(
    async (apiScope) => {
      await apiScope.register(rateLimit, {
        max: deps.perMinute,
        timeWindow: 60_000,
        enableDraftSpec: true,
        keyGenerator: (request) => {
          const apiKey = request.headers['x-api-key']
          return typeof apiKey === 'string' ? createHash('sha256').update(apiKey).digest('base64') : request.ip
        },
      })
      apiScope.addHook('onRequest', async (request, reply) =>
        deps.isReady() ? undefined : sendProblem(reply.header('retry-after', '10'), request.id, 'maintenance'),
      )
      addPagingHeaders(apiScope)
      for (const requiredScope of ApiScope.options)
        registerEndpoints<Record<string, Endpoint>>(apiScope, {
          table: publicApiByScope[requiredScope],
          handlers: deps.handlers,
          guard: createPublicGuard(deps, deps.authorise, requiredScope),
        })
    },
    { prefix: '/monitor-public-api/v1' },
  )
}
