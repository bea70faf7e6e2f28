import type { EndpointOutput, Endpoint, EndpointInput } from '@clearway/contract/kit/endpoint.ts'
import type { SubjectRole, SystemRole } from '@clearway/contract/kit/permission.ts'
import type { FieldError, ProblemCode } from '@clearway/contract/kit/problem.ts'
import type * as z from 'zod/mini'

export type Caller = {
  id: string
  username: string
  firstName: string
  lastName: string
  email: string | null
  role: SystemRole | 'guest'
  /** True for the product itself, which is not a person. */
  service?: true
  /** The session of the token, if the embedded provider names it. */
  session?: string
  /** The API key of a program that acts for the person. */
  key?: { id: string; name: string }
  /** The one scan that a guest sees. A guest has no name, and sees no names. */
  guestOf?: string
  /** End of the link of a guest; null if it has none. */
  sharedUntil?: Date | null
  /** The last proof of identity, in ms since 1970, if the token states it. */
  signedInAt?: number
  /** Expiry of the token, in ms since 1970. */
  expiresAt: number
}

/** The scan that a call refers to, with the caller's role on it, after the permission check. */
export type Subject = { scanId: string; role: SubjectRole }

/** An uploaded file, on disk until the call has been answered. A file over the limit comes without its content. */
export type UploadedFile = { name: string; type: string; path: string; tooLarge: boolean }
/** A multipart upload: text fields and files, at most one of them over the limit. */
export type Upload = { files: readonly UploadedFile[]; fields: Readonly<Record<string, string>> }

/** The context of a handler call. `subject` is set whenever the permission refers to a scan. */
export type CallContext = {
  caller: Caller | null
  subject: Subject | null
  upload: Upload
  /** Aborts if the client disconnects before the reply. */
  signal: AbortSignal
  /** The caller's authorization header, for calls to other services on the caller's behalf. */
  authorization: string
}

const refusalMark = Symbol('refusal')
/** A problem as a value: a handler returns it instead of its reply. */
export type Refusal = { [refusalMark]: true; code: ProblemCode; detail?: string; errors?: FieldError[] }

/** Refuses a call with a problem code. `detail` is English and names the object concerned. */
export const refuse = (
  code: ProblemCode,
  details: { detail?: string | undefined; errors?: FieldError[] | undefined } = {},
): Refusal => ({
  [refusalMark]: true,
  code,
  ...(details.detail !== undefined && { detail: details.detail }),
  ...(details.errors && { errors: details.errors }),
})
export const isRefusal = (value: unknown): value is Refusal => typeof value === 'object' && value !== null && refusalMark in value

/** Bytes sent without serialization; a stream is sent in constant memory. */
export type BlobReply = {
  bytes: Uint8Array | string | AsyncIterable<string | Uint8Array>
  type?: string
  headers?: Record<string, string>
}
/** A stream of events. `start` runs when the client listens, and returns its cleanup; `end` closes the stream. */
export type EventsReply = { start: (send: (event: unknown) => void, end: () => void) => () => void }
/** A body with another status than the default (health: 503 with the same body). */
export type StatusReply<T> = { status: number; body: T }

type ReplyOf<E extends Endpoint> = E['reply'] extends { blob: string }
  ? BlobReply
  : E['reply'] extends { events: unknown }
    ? EventsReply
    : E['reply'] extends { empty: true }
      ? void
      : EndpointOutput<E>
/** Accepts plain strings for dates and branded ids: the reply's schema checks them. */
type PlainReply<T> = T extends string
  ? string extends T
    ? string
    : T extends z.core.$brand
      ? string
      : T
  : T extends readonly (infer Item)[]
    ? readonly PlainReply<Item>[]
    : T extends Uint8Array | AsyncIterable<unknown> | ((...args: never[]) => unknown)
      ? T
      : T extends object
        ? { [K in keyof T]: PlainReply<T[K]> }
        : T

export type Handler<E extends Endpoint> = (
  received: EndpointInput<E>,
  context: CallContext,
) => Promise<PlainReply<ReplyOf<E>> | StatusReply<PlainReply<ReplyOf<E>>> | Refusal>
export type Handlers<T extends Record<string, Endpoint>> = { [K in keyof T]: Handler<T[K]> }
