import { type FieldError, type Problem, type ProblemCode, problemsByCode } from '@clearway/contract/kit/problem.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { QueueFullError } from '../bounded-queue.ts'
import { classifyDatabaseError } from '../database.ts'

/** Lists invalid values, such as `severty: unknown-field (known: page, severity)`; undefined for none. */
function describeErrors(errors: readonly FieldError[] = []): string | undefined {
  const described = errors.slice(0, 5).map(({ path, code, params }) => {
    const notes = Object.entries(params).map(([name, value]) => `${name}: ${value}`)
    return `${path}: ${code}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`
  })
  const unlistedCount = errors.length - described.length
  if (unlistedCount > 0) described.push(`${unlistedCount} more`)
  return described.length > 0 ? described.join('; ') : undefined
}

export function sendProblem(
  reply: FastifyReply,
  requestId: string,
  code: ProblemCode,
  details: { detail?: string | undefined; errors?: FieldError[] | undefined } = {},
): FastifyReply {
  const { status, title } = problemsByCode[code]
  const problemBody: Problem = {
    type: `urn:clearway:problem:${code}`,
    title,
    status,
    code,
    requestId,
    detail: details.detail ?? describeErrors(details.errors) ?? problemsByCode[code].detail,
    ...(details.errors && { errors: details.errors }),
  }
  // Intermediaries must not repeat an error to other callers.
  void reply.header('cache-control', 'no-store')
  if (status === 401) void reply.header('www-authenticate', 'Bearer')
  if (status === 503 && !reply.hasHeader('retry-after')) void reply.header('retry-after', '5')
  // Headers that the failed reply has already set.
  void reply.removeHeader('content-disposition')
  // Serialized here: Fastify would apply the reply's schema, which does not fit problems.
  return reply.code(status).type('application/problem+json').send(JSON.stringify(problemBody))
}

const problemCodesByStatus: Readonly<Record<number, ProblemCode>> = {
  400: 'bad-request',
  404: 'not-found',
  405: 'method-not-allowed',
  413: 'too-large',
  // A URL of this length names no resource.
  414: 'not-found',
  415: 'unsupported-type',
  429: 'too-many-requests',
}

/** SQLSTATE of the audit log: the API key of a change was deleted before the change was saved. */
const isKeyRevoked = (error: unknown): boolean => (error as { code?: unknown }).code === 'CW001'

/** The last resort: refusals of Fastify, database errors and unexpected errors. */
export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusalCode = problemCodesByStatus[(error as { statusCode?: number }).statusCode ?? 0]
  const busyCode = error instanceof QueueFullError ? 'server-busy' : undefined
  const rejectedCode = isKeyRevoked(error) ? 'token-rejected' : undefined
  const problemCode = busyCode ?? rejectedCode ?? classifyDatabaseError(error) ?? refusalCode ?? 'server-error'
  // A client that disconnects in the middle of its body is no error of the server.
  if (request.raw.destroyed && !request.raw.complete) {
    request.log.info({ route: request.routeOptions.url ?? null }, 'request aborted')
    return sendProblem(reply, request.id, 'bad-request')
  }
  // The reason is logged only: it may quote data that the caller must not see.
  if (problemsByCode[problemCode].status >= 500) request.log.error({ err: error, url: request.url }, 'request failed')
  return sendProblem(reply, request.id, problemCode)
}
