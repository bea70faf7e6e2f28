import { createHash } from 'node:crypto'
import rateLimit from '@fastify/rate-limit'
import { publicApi } from '@clearway/contract/monitor/user/public/api.ts'
import type { FastifyInstance } from 'fastify'
import type { Handlers } from '../kit/http/answer.ts'
import { addPagingHeaders } from '../kit/http/paging-header.ts'
import { sendProblem } from '../kit/http/problem.ts'
import { type Guard, register } from '../kit/http/register.ts'
import type { MonitorDb } from '../monitor/database.ts'
import { publicGuard } from '../monitor/user/key/service.ts'

/**
 * Serves the public API: the product's own handlers behind another guard, with paging in headers and a limit of calls
 * for each key (for each address where there is none), announced by the standard headers.
 */
export async function startPublicApi(
  app: FastifyInstance,
  deps: {
    db: MonitorDb
    authorise: Guard['authorise']
    handlers: Handlers<typeof publicApi>
    perMinute: number
    isReady: () => boolean
  },
): Promise<void> {
  await app.register(
    async (own) => {
      await own.register(rateLimit, {
        max: deps.perMinute,
        timeWindow: 60_000,
        enableDraftSpec: true,
        keyGenerator: (request) => {
          const key = request.headers['x-api-key']
          return typeof key === 'string' ? createHash('sha256').update(key).digest('base64') : request.ip
        },
      })
      own.addHook('onRequest', async (request, reply) =>
        deps.isReady()
          ? undefined
          : sendProblem(reply.header('retry-after', '10'), request.id, 'maintenance'),
      )
      addPagingHeaders(own)
      register(own, {
        table: publicApi,
        handlers: deps.handlers,
        guard: publicGuard(deps, deps.authorise),
      })
    },
    { prefix: '/monitor-public-api/v1' },
  )
}
