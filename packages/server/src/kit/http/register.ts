import type { Endpoint } from '@clearway/contract/kit/endpoint.ts'
import { defaultLimits, type ProductLimits } from '@clearway/contract/kit/limit.ts'
import { getNetwork } from '@clearway/contract/kit/address-rule.ts'
import { type Permission, hasPermission } from '@clearway/contract/kit/permission.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import {
  type BlobAnswer,
  type Caller,
  type Context,
  type EventsAnswer,
  type Handlers,
  isRefusal,
  type Refusal,
  refuse,
  type Subject,
} from './answer.ts'
import { type Actor, runAsActor } from '../actor.ts'
import { sendDownload } from './download.ts'
import { sendEvents } from './events.ts'
import { readShape } from '../stored.ts'
import { fieldErrors, sendProblem } from './problem.ts'
import { textErrors } from './text.ts'
import { noUpload, receiveFiles } from './upload.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    permission?: Permission
  }
}

/** Decides who may call what. Both are asked before anything that was sent is looked at. */
export type Guard = {
  /** Who calls; null without a token. */
  identify: (request: FastifyRequest) => Promise<Caller | null | Refusal>
  /** Whether that caller may, and what the call is about. */
  authorise: (
    call: { permission: Permission; path: string; params: Readonly<Record<string, string>> },
    caller: Caller | null,
  ) => Promise<{ subject: Subject | null } | Refusal>
}

/** A guard that needs nothing but the role of whoever calls: for services without scans. */
export const authoriseByRole: Guard['authorise'] = ({ permission }, caller) => {
  const nothing = { subject: null }
  if (!caller) return Promise.resolve(refuse('not-signed-in'))
  // It has no account, whatever everybody with one may do.
  if (caller.service) return Promise.resolve(refuse('access-denied'))
  if (hasPermission(caller.role, permission)) return Promise.resolve(nothing)
  return Promise.resolve(refuse(caller.role === 'outsider' ? 'no-access' : 'access-denied'))
}

/** Which calls need a recent proof of identity, and what "recent" is; 0 is any. */
export type Freshness = {
  withinMs: number
  /** By the name of the call; where it depends on what is sent, by that. */
  calls: Readonly<Record<string, true | ((body: never) => boolean)>>
}

/** Whether a call has to wait until its caller has signed in again. A provider that does not say when that was is believed. */
function isStale(
  { withinMs, calls }: Freshness,
  name: string,
  caller: Caller | null,
  body: unknown,
): boolean {
  const needed = calls[name]
  if (!needed || withinMs === 0 || caller?.signedInAt === undefined) return false
  if (Date.now() - caller.signedInAt <= withinMs) return false
  return needed === true || needed(body as never)
}

type Parts = { params: unknown; query: unknown; body: unknown }
type AnyHandler = (received: Parts, context: Context) => Promise<unknown>

/** Checks the three parts of a request against the endpoint's schemas. Errors name the value, not the part. */
function receive(
  endpoint: Endpoint,
  request: FastifyRequest,
): Parts | Refusal | { errors: ReturnType<typeof fieldErrors> } {
  const parts: Parts = { params: undefined, query: undefined, body: undefined }
  const errors: ReturnType<typeof fieldErrors> = []
  for (const part of ['params', 'query', 'body'] as const) {
    const schema: z.ZodMiniType | undefined = endpoint[part]
    if (!schema) continue
    const sent = part === 'body' ? (request.body ?? undefined) : request[part]
    const result = z.safeParse(schema, sent)
    if (result.success) {
      parts[part] = result.data
      errors.push(...textErrors(result.data))
    } else errors.push(...fieldErrors(sent, result.error.issues))
  }
  return errors.length > 0 ? { errors } : parts
}

function isStatusAnswer(value: unknown): value is { status: number; body: unknown } {
  return typeof value === 'object' && value !== null && Object.keys(value).join() === 'status,body'
}

const isStream = (bytes: BlobAnswer['bytes']): bytes is AsyncIterable<string | Uint8Array> =>
  typeof bytes === 'object' && Symbol.asyncIterator in bytes

const isSchema = (reply: Endpoint['reply']): reply is z.ZodMiniType => '_zod' in reply

function answerWith(
  endpoint: Endpoint,
  answer: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  who: { caller: Caller | null; stillMay: () => Promise<boolean> },
): unknown {
  const { reply: shape } = endpoint
  if (isSchema(shape)) {
    const { status, body } = isStatusAnswer(answer)
      ? answer
      : { status: endpoint.status ?? 200, body: answer }
    const headed = reply.code(status).header('cache-control', 'no-store')
    const checked = z.safeParse(shape, body)
    if (checked.success) return headed.send(checked.data)
    const read = endpoint.asStored ? readShape(shape, body) : null
    if (read && 'data' in read) return headed.send(read.data)
    request.log.error({ url: request.url, issues: checked.error.issues }, 'reply breaks its contract')
    return sendProblem(reply, request.id, 'server-error')
  }
  if ('blob' in shape) {
    const { bytes, type, headers } = answer as BlobAnswer
    void reply
      .headers({ 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff', ...headers })
      .type(type ?? `${shape.blob}; charset=utf-8`)
    return isStream(bytes)
      ? sendDownload(request, reply, who.caller?.id ?? getNetwork(request.ip), bytes)
      : reply.send(bytes)
  }
  if ('events' in shape)
    return sendEvents(
      reply,
      answer as EventsAnswer,
      who.caller?.expiresAt ?? Date.now() + 3_600_000,
      who.stillMay,
    )
  return reply.code(endpoint.status ?? 204).send()
}

/** What the call is about, when its caller may. */
async function admitted(
  endpoint: Endpoint,
  request: FastifyRequest,
  guard: Guard,
  caller: Caller | null | Refusal,
): Promise<{ caller: Caller | null; subject: Subject | null } | Refusal> {
  if (isRefusal(caller)) return caller
  const { permission, path } = endpoint
  const params = request.params as Record<string, string>
  const allowed = await guard.authorise({ permission, path, params }, caller)
  return isRefusal(allowed) ? allowed : { caller, subject: allowed.subject }
}

/** Aborts when the connection closes before the answer is written. */
function goneOf(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableEnded) gone.abort()
  })
  return gone.signal
}

/** Counts a call for its person; one whose token is refused, for its network. True when it has been answered: too many. */
const isOverRate = (
  app: FastifyInstance,
  caller: Caller | null | Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> => {
  const { isOver } = app.limited
  if (isRefusal(caller) && request.headers.authorization !== undefined)
    return isOver('perNetwork', request, reply, getNetwork(request.ip))
  // Guests have been counted by network: many may have the same link.
  if (caller === null || isRefusal(caller) || caller.guestOf !== undefined) return Promise.resolve(false)
  return isOver('perPerson', request, reply, caller.id)
}

const actorOf = ({ caller }: Context, request: FastifyRequest): Actor => ({
  id: caller === null || caller.guestOf !== undefined ? 'guest' : caller.id,
  address: request.ip,
  request: request.id,
})

/**
 * Serves a table of endpoints. Each request is identified, authorised, validated, handled, and its answer checked,
 * in this order: who may not see a thing learns nothing about the values they sent.
 */
export function register<T extends Record<string, Endpoint>>(
  app: FastifyInstance,
  options: { table: T; handlers: Handlers<T>; guard: Guard; limits?: ProductLimits; freshness?: Freshness },
): void {
  const limits = options.limits ?? defaultLimits
  for (const [name, endpoint] of Object.entries(options.table)) {
    const handle = options.handlers[name as keyof T] as unknown as AnyHandler
    const context = new WeakMap<FastifyRequest, Context>()
    app.route({
      method: endpoint.method,
      url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { permission: endpoint.permission },
      exposeHeadRoute: false,
      ...(endpoint.bodyBytes !== undefined && { bodyLimit: endpoint.bodyBytes }),
      onRequest: async (request, reply) => {
        const caller = await options.guard.identify(request)
        if (await isOverRate(app, caller, request, reply)) return reply
        const known = await admitted(endpoint, request, options.guard, caller)
        if (isRefusal(known)) return sendProblem(reply, request.id, known.code, known)
        if (known.caller && known.caller.guestOf === undefined) request.personId = known.caller.id
        const authorization = request.headers.authorization ?? ''
        context.set(request, { ...known, upload: noUpload, authorization, signal: goneOf(reply) })
        return undefined
      },
      handler: async (request, reply) => {
        const received = receive(endpoint, request)
        if ('errors' in received)
          return sendProblem(reply, request.id, 'validation-failed', { errors: received.errors ?? [] })
        const known = context.get(request)!
        const { body } = received as Parts
        if (options.freshness && isStale(options.freshness, name, known.caller, body))
          return sendProblem(reply, request.id, 'sign-in-again')
        const stillMay = async () => {
          const caller = await options.guard.identify(request)
          return !isRefusal(await admitted(endpoint, request, options.guard, caller))
        }
        const spool = endpoint.files && (await receiveFiles(request, endpoint.files, limits))
        if (isRefusal(spool)) return sendProblem(reply, request.id, spool.code, spool)
        try {
          const context = spool ? { ...known, upload: spool.upload } : known
          const work = () => handle(received as Parts, context)
          // A call that only reads changes nothing that is recorded.
          const answer = await (endpoint.method === 'GET' ? work() : runAsActor(actorOf(known, request), work))
          if (isRefusal(answer)) return sendProblem(reply, request.id, answer.code, answer)
          return answerWith(endpoint, answer, request, reply, { caller: known.caller, stillMay })
        } finally {
          await spool?.clear()
        }
      },
    })
  }
}
