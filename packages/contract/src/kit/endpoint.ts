import type * as z from 'zod/mini'
import type { Limits } from './limit.ts'
import type { ProblemCode } from './problem.ts'
import type { Permission } from './permission.ts'

type Shape = z.ZodMiniObject

/** What an endpoint answers: JSON by a schema, bytes or text of a type, a stream of events, or nothing. */
export type Reply =
  z.ZodMiniType | { readonly blob: string } | { readonly events: z.ZodMiniType } | { readonly empty: true }

/** One call: everything that server, client, OpenAPI and tests need to know about it. */
export type Endpoint = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `{name}` for parameters; below the base URL of its service. */
  readonly path: string
  readonly permission: Permission
  /** One sentence, for the API documentation. */
  readonly summary: string
  readonly params?: Shape
  readonly query?: Shape
  readonly body?: z.ZodMiniType
  /** Takes files instead of a body (multipart/form-data): what they are, how many at most, and bytes of each. */
  readonly files?: { readonly type: string; readonly limit: keyof Limits; readonly bytes: keyof Limits }
  /** Bytes that the body may have, when 1 MiB is not enough. */
  readonly bodyBytes?: number
  readonly reply: Reply
  /** The reply is settings as somebody stored them once: a rule that came later may refuse them, when they are saved. */
  readonly asStored?: true
  /** HTTP status of success; 200 unless said. */
  readonly status?: 201 | 202 | 204
  /** Problems beyond those that every endpoint can have (400, 401, 403, 404, 500). */
  readonly problems?: readonly ProblemCode[]
}

/** Keeps the literal types of a table of endpoints. */
export const define = <const T extends Record<string, Endpoint>>(table: T): T => table

type Out<T> = T extends z.ZodMiniType ? z.output<T> : undefined
/** What the handler of an endpoint gets. */
export type Received<E extends Endpoint> = {
  params: Out<E['params']>
  query: Out<E['query']>
  body: Out<E['body']>
}
/** What comes back. */
export type Answer<E extends Endpoint> = E['reply'] extends z.ZodMiniType ? z.output<E['reply']> : undefined
