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

type Issue = z.core.$ZodIssue

const lengths = new Set(['string', 'array', 'set', 'file'])
/** Zod's words in ours. */
const codeOf: { readonly [K in NonNullable<Issue['code']>]?: (issue: never) => FieldError['code'] } = {
  invalid_type: () => 'wrong-type',
  too_small: (issue: { origin: string }) => (lengths.has(issue.origin) ? 'too-short' : 'too-small'),
  too_big: (issue: { origin: string }) => (lengths.has(issue.origin) ? 'too-long' : 'too-big'),
  invalid_format: () => 'wrong-format',
  unrecognized_keys: () => 'unknown-field',
  invalid_value: () => 'unknown-value',
}

/** The code that a schema's own check names. */
function ownCode(issue: Issue): FieldError['code'] {
  const named = issue.code === 'custom' ? issue.params?.code : undefined
  return fieldErrorCodes.find((code) => code === named) ?? 'invalid'
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let at = root
  for (const key of path) at = (at as Record<PropertyKey, unknown> | null | undefined)?.[key]
  return at
}

/** What is wrong with a value, as its schema's issues say it. `root` is what was sent. */
export function fieldErrors(root: unknown, issues: readonly Issue[]): FieldError[] {
  return issues.slice(0, 100).flatMap((issue): FieldError[] => {
    const path = issue.path.map(String)
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ path: [...path, key].join('.'), code: 'unknown-field', params: {} }))
    const missing = issue.path.length > 0 && valueAt(root, issue.path) === undefined
    const code = missing ? 'required' : (codeOf[issue.code]?.(issue as never) ?? ownCode(issue))
    const params: FieldError['params'] = {}
    if (issue.code === 'too_small') params.min = Number(issue.minimum)
    if (issue.code === 'too_big') params.max = Number(issue.maximum)
    return [{ path: path.join('.'), code, params }]
  })
}

/** Sends RFC 9457 problem details. */
export function sendProblem(
  reply: FastifyReply,
  requestId: string,
  code: ProblemCode,
  more: { detail?: string | undefined; errors?: FieldError[] | undefined } = {},
): FastifyReply {
  const { status, title } = problemsByCode[code]
  const body: Problem = {
    type: `urn:clearway:problem:${code}`,
    title,
    status,
    code,
    requestId,
    ...(more.detail !== undefined && { detail: more.detail }),
    ...(more.errors && { errors: more.errors }),
  }
  if (status === 401) void reply.header('www-authenticate', 'Bearer')
  if (status === 503 && !reply.hasHeader('retry-after')) void reply.header('retry-after', '5')
  // What an answer that came to nothing said of itself.
  void reply.removeHeader('content-disposition')
  // Serialised here: Fastify would take the reply's schema, and there is none for problems.
  return reply.code(status).type('application/problem+json').send(JSON.stringify(body))
}

const codeOfStatus: Readonly<Record<number, ProblemCode>> = {
  400: 'bad-request',
  404: 'not-found',
  405: 'method-not-allowed',
  413: 'too-large',
  // A URL this long names nothing.
  414: 'not-found',
  415: 'unsupported-type',
  429: 'too-many-requests',
}

/** The last resort: what Fastify refuses, what the database cannot, and what should not have happened. */
export function onError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refused = codeOfStatus[(error as { statusCode?: number }).statusCode ?? 0]
  const code = classifyDatabaseError(error) ?? refused ?? 'server-error'
  // The reason stays in the log: it may quote data that the caller must not see.
  if (problemsByCode[code].status >= 500) request.log.error({ err: error, url: request.url }, 'request failed')
  return sendProblem(reply, request.id, code)
}
