import type * as z from 'zod/mini'
import type { ProductLimits } from './limit.ts'
import type { ProblemCode } from './problem.ts'
import type { Permission } from './permission.ts'

type ObjectSchema = z.ZodMiniObject

/** Reply of an endpoint: JSON by a schema, bytes or text of a type, a stream of events, or nothing. */
export type EndpointReply =
  | z.ZodMiniType
  | { readonly blob: string }
  | { readonly events: z.ZodMiniType }
  | { readonly empty: true }

/** One endpoint: the single source for server, client, OpenAPI and tests. */
export type Endpoint = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Contains `{name}` for parameters; relative to the base URL of its service. */
  readonly path: string
  readonly permission: Permission
  /** One sentence for the API documentation. */
  readonly summary: string
  readonly params?: ObjectSchema
  readonly query?: ObjectSchema
  readonly body?: z.ZodMiniType
  /** Accepts files instead of a body (multipart/form-data): their type, maximum number, and bytes of each. */
  readonly files?: { readonly type: string; readonly limit: keyof ProductLimits; readonly bytes: keyof ProductLimits }
  /** Maximum bytes of the body, if 1 MiB is not enough. */
  readonly bodyBytes?: number
  readonly reply: EndpointReply
  /** The reply contains stored settings: rules added later may reject them when they are saved. */
  readonly asStored?: true
  /** HTTP status of success; default 200. */
  readonly status?: 201 | 202 | 204
  /** Problems in addition to those of every endpoint (400, 401, 403, 404, 500). */
  readonly problems?: readonly ProblemCode[]
}

/** Preserves the literal types of a table of endpoints. */
export const defineEndpoints = <const T extends Record<string, Endpoint>>(endpointTable: T): T => endpointTable

type OutputOf<T> = T extends z.ZodMiniType ? z.output<T> : undefined
export type EndpointInput<E extends Endpoint> = {
  params: OutputOf<E['params']>
  query: OutputOf<E['query']>
  body: OutputOf<E['body']>
}
export type EndpointOutput<E extends Endpoint> = E['reply'] extends z.ZodMiniType ? z.output<E['reply']> : undefined
