import type { EndpointOutput, Endpoint, EndpointInput } from '@clearway/contract/kit/endpoint.ts'
import type { SubjectRole, SystemRole } from '@clearway/contract/kit/permission.ts'
import type { FieldError, ProblemCode } from '@clearway/contract/kit/problem.ts'
import type * as z from 'zod/mini'

/** Who calls, as the token says. */
export type Caller = {
  id: string
  username: string
  firstName: string
  lastName: string
  email: string | null
  role: SystemRole | 'guest'
  /** The product itself, not a person. */
  service?: true
  /** The session of the token, where the embedded provider names it. */
  session?: string
  /** The one scan that a guest sees; a guest has no name, and sees no names. */
  guestOf?: string
  /** The last proof of identity, ms since 1970, where the token says so. */
  signedInAt?: number
  /** When the token ends, ms since 1970. */
  expiresAt: number
}

/** What a call is about, once the permission is checked: the caller's role on that scan. */
export type Subject = { scanId: string; role: SubjectRole }

/** A file of an upload, on disk until the call has been answered. One over the limit is there without its content. */
export type UploadedFile = { name: string; type: string; path: string; tooLarge: boolean }
/** What came by multipart: files, no more than one over the limit, and text fields. */
export type Upload = { files: readonly UploadedFile[]; fields: Readonly<Record<string, string>> }

/** What every handler gets besides what was sent. `subject` is there wherever the permission is one on a scan. */
export type Context = {
  caller: Caller | null
  subject: Subject | null
  upload: Upload
  /** Aborts when the client has gone before the answer. */
  signal: AbortSignal
  /** The caller's own header, with which other services are asked in the caller's name. */
  authorization: string
}

const refusal = Symbol('refusal')
/** A problem as a value: a handler answers it instead of its reply. */
export type Refusal = { [refusal]: true; code: ProblemCode; detail?: string; errors?: FieldError[] }

/** Refuses a call, with a code of the closed list. `detail` is English and names the thing. */
export const refuse = (
  code: ProblemCode,
  more: { detail?: string | undefined; errors?: FieldError[] | undefined } = {},
): Refusal => ({
  [refusal]: true,
  code,
  ...(more.detail !== undefined && { detail: more.detail }),
  ...(more.errors && { errors: more.errors }),
})
export const isRefusal = (value: unknown): value is Refusal =>
  typeof value === 'object' && value !== null && refusal in value

/** Bytes to send as they are; a stream of them is sent as it comes, in constant memory. */
export type BlobAnswer = {
  bytes: Uint8Array | string | AsyncIterable<string | Uint8Array>
  type?: string
  headers?: Record<string, string>
}
/**
 * A stream of events: `start` is called once the client listens; what it returns, when it has gone. `end` closes the
 * stream after the last event.
 */
export type EventsAnswer = { start: (send: (event: unknown) => void, end: () => void) => () => void }
/** A body with another status than the usual one (health: 503 with the same body). */
export type StatusAnswer<T> = { status: number; body: T }

type Answered<E extends Endpoint> = E['reply'] extends { blob: string }
  ? BlobAnswer
  : E['reply'] extends { events: unknown }
    ? EventsAnswer
    : E['reply'] extends { empty: true }
      ? void
      : EndpointOutput<E>
/** Dates and branded ids may leave as plain strings: the reply's schema checks them. */
type Plain<T> = T extends string
  ? string extends T
    ? string
    : T extends z.core.$brand
      ? string
      : T
  : T extends readonly (infer Item)[]
    ? readonly Plain<Item>[]
    : T extends Uint8Array | AsyncIterable<unknown> | ((...args: never[]) => unknown)
      ? T
      : T extends object
        ? { [K in keyof T]: Plain<T[K]> }
        : T

export type Handler<E extends Endpoint> = (
  received: EndpointInput<E>,
  context: Context,
) => Promise<Plain<Answered<E>> | StatusAnswer<Plain<Answered<E>>> | Refusal>
/** A handler for each call of a table. */
export type Handlers<T extends Record<string, Endpoint>> = { [K in keyof T]: Handler<T[K]> }
