import {
  fieldErrorCodes,
  type FieldError,
  type Problem,
  type ProblemCode,
  problemsByCode,
} from '@clearway/contract/kit/problem.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import { classifyDatabaseError } from '../database.ts'

type SchemaIssue = z.core.$ZodIssue

const originsWithLength = new Set(['string', 'array', 'set', 'file'])
/** Maps Zod's issue codes to our field error codes. */
const fieldCodesByIssue: {
  readonly [K in NonNullable<SchemaIssue['code']>]?: (issue: never) => FieldError['code']
} = {
  invalid_type: () => 'wrong-type',
  too_small: (issue: { origin: string }) => (originsWithLength.has(issue.origin) ? 'too-short' : 'too-small'),
  too_big: (issue: { origin: string }) => (originsWithLength.has(issue.origin) ? 'too-long' : 'too-big'),
  invalid_format: () => 'wrong-format',
  unrecognized_keys: () => 'unknown-field',
  invalid_value: () => 'unknown-value',
}

/** The error code that a custom check of a schema names. */
function getCustomCode(issue: SchemaIssue): FieldError['code'] {
  const customCode = issue.code === 'custom' ? issue.params?.code : undefined
  return fieldErrorCodes.find((code) => code === customCode) ?? 'invalid'
}

function getValueAt(rootValue: unknown, path: readonly PropertyKey[]): unknown {
  let currentValue = rootValue
  for (const key of path)
    currentValue = (currentValue as Record<PropertyKey, unknown> | null | undefined)?.[key]
  return currentValue
}

/** Translates the issues of a schema into field errors. `rootValue` is the received value. */
export function toFieldErrors(rootValue: unknown, issues: readonly SchemaIssue[]): FieldError[] {
  return issues.slice(0, 100).flatMap((issue): FieldError[] => {
    const fieldPath = issue.path.map(String)
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({
        path: [...fieldPath, key].join('.'),
        code: 'unknown-field',
        params: {},
      }))
    const isMissing = issue.path.length > 0 && getValueAt(rootValue, issue.path) === undefined
    const errorCode = isMissing
      ? 'required'
      : (fieldCodesByIssue[issue.code]?.(issue as never) ?? getCustomCode(issue))
    const errorParams: FieldError['params'] = {}
    if (issue.code === 'too_small') errorParams.min = Number(issue.minimum)
    if (issue.code === 'too_big') errorParams.max = Number(issue.maximum)
    return [{ path: fieldPath.join('.'), code: errorCode, params: errorParams }]
  })
}

/** Sends a problem (RFC 9457). */
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
    ...(details.detail !== undefined && { detail: details.detail }),
    ...(details.errors && { errors: details.errors }),
  }
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

/** The last resort: refusals of Fastify, database errors and unexpected errors. */
export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusalCode = problemCodesByStatus[(error as { statusCode?: number }).statusCode ?? 0]
  const problemCode = classifyDatabaseError(error) ?? refusalCode ?? 'server-error'
  // The reason is logged only: it may quote data that the caller must not see.
  if (problemsByCode[problemCode].status >= 500)
    request.log.error({ err: error, url: request.url }, 'request failed')
  return sendProblem(reply, request.id, problemCode)
}
