import type { EndpointOutput, Endpoint } from '@clearway/contract/kit/endpoint.ts'
import type { Problem } from '@clearway/contract/kit/problem.ts'
import type * as z from 'zod/mini'
import { checkConnection } from './connection.ts'

type EndpointTable = Record<string, Endpoint>
type SchemaOutput<T> = T extends z.ZodMiniType ? z.output<T> : never
type PartialOrUndefined<T> = { [K in keyof T]?: T[K] | undefined }
type ParamsInput<E> = E extends { params: infer P } ? { params: SchemaOutput<P> } : unknown
type QueryInput<E> = E extends { query: infer Q } ? { query?: PartialOrUndefined<SchemaOutput<Q>> } : unknown
type BodyInput<E> = E extends { body: infer B extends z.ZodMiniType } ? { body: z.input<B> } : unknown
/** Input of one call: values as the server's handler receives them, not as they appear in the URL. */
export type EndpointCall<E extends Endpoint> = ParamsInput<E> & QueryInput<E> & BodyInput<E>
type EndpointResult<E extends Endpoint> = E['reply'] extends { blob: string } ? Blob : EndpointOutput<E>
export type EndpointClient<T extends EndpointTable> = {
  [K in keyof T]: (call: EndpointCall<T[K]>, signal?: AbortSignal) => Promise<EndpointResult<T[K]>>
}

export type ClientDeps = {
  /** Base URL of all endpoints, without a trailing slash. */
  readonly baseUrl: string
  readonly realm: string
  /** Returns a token valid for at least 90 s, or null before sign-in. */
  readonly getToken: () => Promise<string | null>
  /** Token of a link to a shared scan; replaces the access token. */
  readonly guestToken?: string
  /** Re-authenticates in a pop-up; resolves to true on success. */
  readonly reauthenticate?: () => Promise<boolean>
}

/** The server refused the request or could not be reached. `problem` is null if there was no response from our server. */
export class ApiError extends Error {
  readonly status: number
  readonly problem: Problem | null
  constructor(status: number, problem: Problem | null, cause?: unknown) {
    super(problem?.title ?? `HTTP ${status}`, { cause })
    this.status = status
    this.problem = problem
  }
}

/** Returns the URL of a call relative to the base URL. Fills in parameters, repeats lists and omits undefined values. */
export function buildUrl(endpoint: Pick<Endpoint, 'path'>, call: { params?: object; query?: object }): string {
  const pathParams = (call.params ?? {}) as Record<string, unknown>
  const endpointPath = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(pathParams[name])))
  const searchParams = new URLSearchParams()
  for (const [key, value] of Object.entries(call.query ?? {}))
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined && item !== '') searchParams.append(key, String(item))
  return searchParams.size > 0 ? `${endpointPath}?${searchParams}` : endpointPath
}

/** Sends one request with realm and token; throws ApiError unless the status is a success. */
export async function sendRequest(
  clientDeps: ClientDeps,
  requestUrl: string,
  requestInit: { method: string; accept: string; body?: unknown; signal?: AbortSignal | undefined },
): Promise<Response> {
  const accessToken = clientDeps.guestToken === undefined ? await clientDeps.getToken() : null
  const requestHeaders = new Headers({ Accept: requestInit.accept, 'X-Realm': clientDeps.realm })
  if (accessToken) requestHeaders.set('Authorization', `Bearer ${accessToken}`)
  if (clientDeps.guestToken !== undefined) requestHeaders.set('X-Guest-Token', clientDeps.guestToken)
  // The server uses the selected language for emails, too.
  if (document.documentElement.lang) requestHeaders.set('Accept-Language', document.documentElement.lang)
  // The browser sets the content type of form data because it includes the boundary.
  const isFormData = requestInit.body instanceof FormData
  if (requestInit.body !== undefined && !isFormData) requestHeaders.set('Content-Type', 'application/json')
  const response = await fetch(clientDeps.baseUrl + requestUrl, {
    method: requestInit.method,
    headers: requestHeaders,
    signal: requestInit.signal ?? null,
    ...(requestInit.body === undefined
      ? {}
      : { body: isFormData ? (requestInit.body as FormData) : JSON.stringify(requestInit.body) }),
  }).catch((cause: unknown) => {
    if (requestInit.signal?.aborted) throw cause
    void checkConnection()
    throw new ApiError(0, null, cause)
  })
  if (!response.ok) {
    const problem = await readProblem(response)
    const { reauthenticate, ...depsWithoutReauthentication } = clientDeps
    // The caller waits for the sign-in, so form input is preserved.
    if (problem?.code === 'sign-in-again' && (await reauthenticate?.()))
      return sendRequest(depsWithoutReauthentication, requestUrl, requestInit)
    throw new ApiError(response.status, problem)
  }
  return response
}

async function readProblem(response: Response): Promise<Problem | null> {
  if (!response.headers.get('content-type')?.includes('json')) return null
  const responseBody = (await response.json().catch(() => null)) as Partial<Problem> | null
  return typeof responseBody?.code === 'string' ? (responseBody as Problem) : null
}

/** Creates a typed function for each endpoint of a contract table. Returns parsed JSON or a Blob. */
export function createClient<const T extends EndpointTable>(endpointTable: T, clientDeps: ClientDeps): EndpointClient<T> {
  const clientEntries = Object.entries(endpointTable).map(([name, endpoint]) => {
    const isBlobReply = 'blob' in endpoint.reply
    const callEndpoint = async (input: { params?: object; query?: object; body?: unknown }, signal?: AbortSignal) => {
      const response = await sendRequest(clientDeps, buildUrl(endpoint, input), {
        method: endpoint.method,
        accept: isBlobReply ? '*/*' : 'application/json',
        body: input.body,
        signal,
      })
      if (isBlobReply) return response.blob()
      return response.status === 204 ? undefined : response.json()
    }
    return [name, callEndpoint] as const
  })
  return Object.fromEntries(clientEntries) as unknown as EndpointClient<T>
}
