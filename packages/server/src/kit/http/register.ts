import type { Endpoint } from '@clearway/contract/kit/endpoint.ts'
import { defaultLimits, type ProductLimits } from '@clearway/contract/kit/limit.ts'
import { getNetwork } from '@clearway/contract/kit/address-rule.ts'
import { type Permission, hasPermission } from '@clearway/contract/kit/permission.ts'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import { toFieldErrors } from '@clearway/contract/kit/schema-issue.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import {
  type BlobReply,
  type Caller,
  type CallContext,
  type EventsReply,
  type Handlers,
  isRefusal,
  type Refusal,
  refuse,
  type Subject,
} from './answer.ts'
import { type Actor, runAsActor } from '../actor.ts'
import { sendDownload } from './download.ts'
import { type OpenedStream, openStream, sendEvents, type StreamOwner } from './events.ts'
import { parseShape } from '../stored.ts'
import { runWithStatementLimit } from '../statement-limit.ts'
import { sendProblem } from './problem.ts'
import type { DatabaseSilence } from './silence.ts'
import { findTextErrors } from './text.ts'
import { noUpload, receiveFiles } from './upload.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    permission?: Permission
    /** The route receives a form with files, whose time is limited by its bytes. */
    receivesFiles?: boolean
  }
}

/** Identifies and authorizes callers, before anything else of the request is read. */
export type Guard = {
  identify: (request: FastifyRequest) => Promise<Caller | null | Refusal>
  /** Authorizes the call, and returns the scan that it refers to. */
  authorize: (
    call: { permission: Permission; path: string; params: Readonly<Record<string, string>> },
    caller: Caller | null,
  ) => Promise<{ subject: Subject | null } | Refusal>
}

/** Authorizes by the caller's role alone, for services without scans. */
export const authorizeByRole: Guard['authorize'] = ({ permission }, caller) => {
  const withoutSubject = { subject: null }
  if (!caller) return Promise.resolve(refuse('not-signed-in'))
  // The product itself has no account, even for calls that all accounts may make.
  if (caller.service) return Promise.resolve(refuse('access-denied'))
  if (hasPermission(caller.role, permission)) return Promise.resolve(withoutSubject)
  return Promise.resolve(refuse(caller.role === 'outsider' ? 'no-access' : 'access-denied'))
}

/** Calls that require a recent proof of identity, and its maximum age; 0 disables the check. */
export type Freshness = {
  withinMs: number
  /** By operation name; a function decides by the body. */
  calls: Readonly<Record<string, true | ((body: never) => boolean)>>
}

/** True if the caller must sign in again for this call. Without a sign-in time in the token, the sign-in counts as recent. */
function isSignInStale({ withinMs, calls }: Freshness, operationName: string, caller: Caller | null, body: unknown): boolean {
  const freshnessRule = calls[operationName]
  if (!freshnessRule || withinMs === 0 || caller?.signedInAt === undefined) return false
  if (Date.now() - caller.signedInAt <= withinMs) return false
  return freshnessRule === true || freshnessRule(body as never)
}

type RequestParts = { params: unknown; query: unknown; body: unknown }
type AnyHandler = (received: RequestParts, context: CallContext) => Promise<unknown>

/** Errors of query parameters that an endpoint does not have: ignored, they would widen a list in silence. */
function findUnknownParameters(endpoint: Endpoint, query: unknown): FieldError[] {
  const knownNames = Object.keys(endpoint.query?._zod.def.shape ?? {})
  return Object.keys(query as object)
    .filter((name) => !knownNames.includes(name))
    .slice(0, 100)
    .map((name) => ({ path: name, code: 'unknown-field', params: { known: knownNames.toSorted().join(', ') } }))
}

/** Validates the three parts of a request against the endpoint's schemas. Errors name the value, not the part. */
function parseRequest(endpoint: Endpoint, request: FastifyRequest): RequestParts | Refusal | { errors: FieldError[] } {
  const parsedParts: RequestParts = { params: undefined, query: undefined, body: undefined }
  const errors = findUnknownParameters(endpoint, request.query)
  for (const partName of ['params', 'query', 'body'] as const) {
    const partSchema: z.ZodMiniType | undefined = endpoint[partName]
    if (!partSchema) continue
    const receivedValue = partName === 'body' ? (request.body ?? undefined) : request[partName]
    const parseResult = z.safeParse(partSchema, receivedValue)
    if (parseResult.success) {
      parsedParts[partName] = parseResult.data
      errors.push(...findTextErrors(parseResult.data))
    } else errors.push(...toFieldErrors(receivedValue, parseResult.error.issues))
  }
  return errors.length > 0 ? { errors } : parsedParts
}

function isStatusReply(value: unknown): value is { status: number; body: unknown } {
  return typeof value === 'object' && value !== null && Object.keys(value).join() === 'status,body'
}

const isStream = (bytes: BlobReply['bytes']): bytes is AsyncIterable<string | Uint8Array> =>
  typeof bytes === 'object' && Symbol.asyncIterator in bytes

const isSchema = (reply: Endpoint['reply']): reply is z.ZodMiniType => '_zod' in reply

const maxUnreadBodyMs = 10_000
/** Ends the connection of a refused upload whose body keeps arriving. Ending it at once could lose the reply. */
const endUnreadBody = ({ raw: rawRequest }: FastifyRequest): void =>
  void setTimeout(() => rawRequest.complete || rawRequest.destroy(), maxUnreadBodyMs).unref()

const getStreamOwner = (caller: Caller | null, request: FastifyRequest): StreamOwner =>
  caller === null || caller.guestOf !== undefined
    ? { key: `guests of ${caller?.guestOf ?? getNetwork(request.ip)}`, isShared: true }
    : { key: caller.id, isShared: false }

function sendReply(
  endpoint: Endpoint,
  handlerResult: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  callerContext: { caller: Caller | null; openedStream: OpenedStream | null; stillMay: () => Promise<boolean> },
): unknown {
  const { reply: replyShape } = endpoint
  if (isSchema(replyShape)) {
    const { status, body } = isStatusReply(handlerResult)
      ? handlerResult
      : { status: endpoint.status ?? 200, body: handlerResult }
    const preparedReply = reply.code(status).header('cache-control', 'no-store')
    const checkedBody = z.safeParse(replyShape, body)
    if (checkedBody.success) return preparedReply.send(checkedBody.data)
    const lenientBody = endpoint.asStored ? parseShape(replyShape, body) : null
    if (lenientBody && 'data' in lenientBody) return preparedReply.send(lenientBody.data)
    request.log.error({ url: request.url, issues: checkedBody.error.issues }, 'reply breaks its contract')
    return sendProblem(reply, request.id, 'server-error')
  }
  if ('blob' in replyShape) {
    const { bytes, type, headers } = handlerResult as BlobReply
    void reply
      .headers({ 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff', ...headers })
      .type(type ?? `${replyShape.blob}; charset=utf-8`)
    return isStream(bytes)
      ? sendDownload(request, reply, callerContext.caller?.id ?? getNetwork(request.ip), bytes)
      : reply.send(bytes)
  }
  if ('events' in replyShape)
    return sendEvents(
      reply,
      handlerResult as EventsReply,
      callerContext.openedStream!,
      callerContext.caller?.expiresAt ?? Date.now() + 3_600_000,
      callerContext.stillMay,
    )
  return reply.code(endpoint.status ?? 204).send()
}

async function authorizeRequest(
  endpoint: Endpoint,
  request: FastifyRequest,
  guard: Guard,
  caller: Caller | null | Refusal,
): Promise<{ caller: Caller | null; subject: Subject | null } | Refusal> {
  if (isRefusal(caller)) return caller
  const { permission, path } = endpoint
  const params = request.params as Record<string, string>
  const authorization = await guard.authorize({ permission, path, params }, caller)
  return isRefusal(authorization) ? authorization : { caller, subject: authorization.subject }
}

/** Aborts if the connection closes before the reply is written. */
function createDisconnectSignal(reply: FastifyReply): AbortSignal {
  const disconnectController = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableEnded) disconnectController.abort()
  })
  return disconnectController.signal
}

/** Counts a call for its person, or for its network if the token was rejected. True if a refusal was sent. */
const enforceRate = (
  app: FastifyInstance,
  caller: Caller | null | Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> => {
  const { isOver } = app.limited
  if (isRefusal(caller) && request.headers.authorization !== undefined)
    return isOver('perNetwork', request, reply, getNetwork(request.ip))
  // Guests are already counted by network: many may share a link.
  if (caller === null || isRefusal(caller) || caller.guestOf !== undefined) return Promise.resolve(false)
  return isOver('perPerson', request, reply, caller.id)
}

/** Authorizes a request again, as its streams do while they are open. */
async function isStillAuthorized(endpoint: Endpoint, request: FastifyRequest, guard: Guard): Promise<boolean> {
  return !isRefusal(await authorizeRequest(endpoint, request, guard, await guard.identify(request)))
}

const toActor = ({ caller }: CallContext, request: FastifyRequest): Actor => ({
  id: caller === null || caller.guestOf !== undefined ? 'guest' : caller.id,
  address: request.ip,
  request: request.id,
  ...(caller?.key && { key: caller.key }),
})

/** Calls that report the state of the system, even of a database that does not respond. */
const isHealthCall = ({ path }: Endpoint): boolean => path.startsWith('/actuator/')

const untilSilent = <T>(silence: DatabaseSilence | undefined, work: Promise<T>): Promise<T> =>
  silence ? silence.unlessSilent(work) : work

/** Maximum time of a database statement of a screen. Exports take longer. */
const maxScreenStatementMs = 20_000

/** Runs a call that changes nothing, so that it needs no actor. A screen waits neither for a slow statement nor for a silent database. */
function runReading<T>(endpoint: Endpoint, silence: DatabaseSilence | undefined, work: () => Promise<T>): Promise<T> {
  if (!isSchema(endpoint.reply)) return work()
  const pendingResult = runWithStatementLimit(maxScreenStatementMs, work)
  return untilSilent(isHealthCall(endpoint) ? undefined : silence, pendingResult)
}

/** Serves a table of endpoints. Identifies and authorizes before it validates: callers without access learn nothing of values. */
export function registerEndpoints<T extends Record<string, Endpoint>>(
  app: FastifyInstance,
  options: { table: T; handlers: Handlers<T>; guard: Guard; limits?: ProductLimits; freshness?: Freshness },
): void {
  const productLimits = options.limits ?? defaultLimits
  for (const [operationName, endpoint] of Object.entries(options.table)) {
    const callHandler = options.handlers[operationName as keyof T] as unknown as AnyHandler
    const contexts = new WeakMap<FastifyRequest, CallContext>()
    app.route({
      method: endpoint.method,
      url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { permission: endpoint.permission, receivesFiles: endpoint.files !== undefined },
      exposeHeadRoute: false,
      ...(endpoint.bodyBytes !== undefined && { bodyLimit: endpoint.bodyBytes }),
      onRequest: async (request, reply) => {
        const silence = isHealthCall(endpoint) ? undefined : app.databaseSilence
        if (silence?.isSilent()) return sendProblem(reply, request.id, 'database-unavailable')
        const requestCaller = await untilSilent(silence, options.guard.identify(request))
        if (await enforceRate(app, requestCaller, request, reply)) return reply
        const authorizedCall = await untilSilent(silence, authorizeRequest(endpoint, request, options.guard, requestCaller))
        if (isRefusal(authorizedCall)) return sendProblem(reply, request.id, authorizedCall.code, authorizedCall)
        if (authorizedCall.caller && authorizedCall.caller.guestOf === undefined) request.personId = authorizedCall.caller.id
        // A token that comes with an API key may be that of another person, or of a proxy.
        const authorization = authorizedCall.caller?.key ? '' : (request.headers.authorization ?? '')
        contexts.set(request, { ...authorizedCall, upload: noUpload, authorization, signal: createDisconnectSignal(reply) })
        return undefined
      },
      handler: async (request, reply) => {
        const parsedRequest = parseRequest(endpoint, request)
        if ('errors' in parsedRequest)
          return sendProblem(reply, request.id, 'validation-failed', { errors: parsedRequest.errors ?? [] })
        const callContext = contexts.get(request)!
        const { body } = parsedRequest as RequestParts
        if (options.freshness && isSignInStale(options.freshness, operationName, callContext.caller, body))
          return sendProblem(reply, request.id, 'sign-in-again')
        const stillMay = () => isStillAuthorized(endpoint, request, options.guard)
        const uploaderKey = callContext.caller?.id ?? getNetwork(request.ip)
        const receivedUpload = endpoint.files && (await receiveFiles(request, uploaderKey, endpoint.files, productLimits))
        if (isRefusal(receivedUpload)) {
          endUnreadBody(request)
          return sendProblem(reply, request.id, receivedUpload.code, receivedUpload)
        }
        const openedStream = 'events' in endpoint.reply ? openStream(getStreamOwner(callContext.caller, request)) : null
        if (isRefusal(openedStream))
          return sendProblem(reply.header('retry-after', '30'), request.id, openedStream.code, openedStream)
        try {
          const handlerContext = receivedUpload ? { ...callContext, upload: receivedUpload.upload } : callContext
          const runHandler = () => callHandler(parsedRequest as RequestParts, handlerContext)
          const handlerResult = await (endpoint.method === 'GET'
            ? runReading(endpoint, app.databaseSilence, runHandler)
            : runAsActor(toActor(callContext, request), runHandler))
          if (isRefusal(handlerResult)) return sendProblem(reply, request.id, handlerResult.code, handlerResult)
          return sendReply(endpoint, handlerResult, request, reply, { caller: callContext.caller, openedStream, stillMay })
        } finally {
          if (openedStream && !openedStream.isSent) openedStream.release()
          await receivedUpload?.clear()
        }
      },
    })
  }
}
