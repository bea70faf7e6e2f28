import type { Answer, Endpoint } from '@clearway/contract/kit/endpoint.ts'
import type { Problem } from '@clearway/contract/kit/problem.ts'
import type * as z from 'zod/mini'
import { checkConnection } from './connection.ts'

type Table = Record<string, Endpoint>
type Out<T> = T extends z.ZodMiniType ? z.output<T> : never
type Loose<T> = { [K in keyof T]?: T[K] | undefined }
type Params<E> = E extends { params: infer P } ? { params: Out<P> } : unknown
type Query<E> = E extends { query: infer Q } ? { query?: Loose<Out<Q>> } : unknown
type Body<E> = E extends { body: infer B extends z.ZodMiniType } ? { body: z.input<B> } : unknown
/** What one call takes: parts in the form that the server's handler sees, not as they are in the URL. */
export type Call<E extends Endpoint> = Params<E> & Query<E> & Body<E>
type Returned<E extends Endpoint> = E['reply'] extends { blob: string } ? Blob : Answer<E>
export type Client<T extends Table> = {
  [K in keyof T]: (call: Call<T[K]>, signal?: AbortSignal) => Promise<Returned<T[K]>>
}

export type ClientDeps = {
  /** URL before the endpoint's path, without a slash at its end. */
  readonly base: string
  readonly realm: string
  /** A token with at least 90 s to live; null before anybody signed in. */
  readonly token: () => Promise<string | null>
  /** Instead of a token: what a link to a shared scan carries. */
  readonly guestToken?: string
  /** Has the person sign in once more, in a window of its own; whether that was done. */
  readonly signInAgain?: () => Promise<boolean>
}

/** The server refused or could not be reached. `problem` is null when no answer of ours came back. */
export class ApiError extends Error {
  readonly status: number
  readonly problem: Problem | null
  constructor(status: number, problem: Problem | null, cause?: unknown) {
    super(problem?.title ?? `HTTP ${status}`, { cause })
    this.status = status
    this.problem = problem
  }
}

/** The URL of one call below a base: parameters filled in, lists repeated, undefined left out. */
export function urlOf(endpoint: Pick<Endpoint, 'path'>, call: { params?: object; query?: object }): string {
  const params = (call.params ?? {}) as Record<string, unknown>
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  )
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(call.query ?? {}))
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined && item !== '') query.append(key, String(item))
  return query.size > 0 ? `${path}?${query}` : path
}

/** Sends one request with realm and token; throws ApiError unless the status is a success. */
export async function send(
  deps: ClientDeps,
  url: string,
  init: { method: string; accept: string; body?: unknown; signal?: AbortSignal | undefined },
): Promise<Response> {
  const token = deps.guestToken === undefined ? await deps.token() : null
  const headers = new Headers({ Accept: init.accept, 'X-Realm': deps.realm })
  if (token) headers.set('Authorization', `Bearer ${token}`)
  if (deps.guestToken !== undefined) headers.set('X-Guest-Token', deps.guestToken)
  // The language that was chosen here is that of the mails, too.
  if (document.documentElement.lang) headers.set('Accept-Language', document.documentElement.lang)
  // Files set their own type, with the boundary between them.
  const isForm = init.body instanceof FormData
  if (init.body !== undefined && !isForm) headers.set('Content-Type', 'application/json')
  const response = await fetch(deps.base + url, {
    method: init.method,
    headers,
    signal: init.signal ?? null,
    ...(init.body === undefined
      ? {}
      : { body: isForm ? (init.body as FormData) : JSON.stringify(init.body) }),
  }).catch((cause: unknown) => {
    if (init.signal?.aborted) throw cause
    void checkConnection()
    throw new ApiError(0, null, cause)
  })
  if (!response.ok) {
    const problem = await readProblem(response)
    const { signInAgain, ...once } = deps
    // Whoever asked waits meanwhile: what was typed stays where it is.
    if (problem?.code === 'sign-in-again' && (await signInAgain?.())) return send(once, url, init)
    throw new ApiError(response.status, problem)
  }
  return response
}

async function readProblem(response: Response): Promise<Problem | null> {
  if (!response.headers.get('content-type')?.includes('json')) return null
  const body = (await response.json().catch(() => null)) as Partial<Problem> | null
  return typeof body?.code === 'string' ? (body as Problem) : null
}

/** A typed function for each endpoint of a contract table. JSON comes back parsed, blobs as a Blob. */
export function createClient<const T extends Table>(table: T, deps: ClientDeps): Client<T> {
  const calls = Object.entries(table).map(([name, endpoint]) => {
    const blob = 'blob' in endpoint.reply
    const call = async (input: { params?: object; query?: object; body?: unknown }, signal?: AbortSignal) => {
      const response = await send(deps, urlOf(endpoint, input), {
        method: endpoint.method,
        accept: blob ? '*/*' : 'application/json',
        body: input.body,
        signal,
      })
      if (blob) return response.blob()
      return response.status === 204 ? undefined : response.json()
    }
    return [name, call] as const
  })
  return Object.fromEntries(calls) as unknown as Client<T>
}
