import { createHash, randomBytes } from 'node:crypto'
import { systemRoles } from '@clearway/contract/kit/permission.ts'
import { jwtVerify, SignJWT } from 'jose'
import * as z from 'zod/mini'
import { type Caller, isRefusal, type Refusal } from '../../../kit/http/answer.ts'
import { parseStoredOrNull } from '../../../kit/stored.ts'

/** Endpoints of the identity provider: `authorize` as a browser reaches it, `token` as this process reaches it. */
export type ProviderEndpoints = { authorize: string; token: string }
export type SignInDeps = {
  /** Resolved on first use: an external provider may start later than this process. */
  provider: () => Promise<ProviderEndpoints>
  client: string
  /** The redirect URL that is registered with the provider. */
  callback: string
  verify: (token: string) => Promise<Caller | Refusal>
  secret: Uint8Array
}

const payloadLifetimeSeconds = 600
const createRandomToken = () => randomBytes(32).toString('base64url')
const sealPayload = (secret: Uint8Array, audience: string, payload: Record<string, unknown>) =>
  new SignJWT(payload)
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience(audience)
    .setExpirationTime(`${payloadLifetimeSeconds}s`)
    .sign(secret)

/** Returns the sealed payload; null also for a payload of another version, so that the person signs in again. */
async function unsealPayload<T extends z.ZodMiniType>(
  schema: T,
  { secret, use: audience, text: sealedText }: { secret: Uint8Array; use: string; text: string | null },
): Promise<z.output<T> | null> {
  if (!sealedText) return null
  const verifiedToken = await jwtVerify(sealedText, secret, { audience, algorithms: ['HS256'] }).catch(() => null)
  return verifiedToken && parseStoredOrNull(schema, verifiedToken.payload)
}

const SignInFlow = z.object({ state: z.string(), verifier: z.string(), back: z.string() })
type SignInFlow = z.output<typeof SignInFlow>
const SignInSession = z.object({
  caller: z.object({
    id: z.string(),
    username: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    email: z.nullable(z.string()),
    role: z.literal([...systemRoles, 'guest']),
    service: z.exactOptional(z.literal(true)),
    session: z.exactOptional(z.string()),
    guestOf: z.exactOptional(z.string()),
    signedInAt: z.exactOptional(z.number()),
    expiresAt: z.number(),
  }) satisfies z.ZodMiniType<Caller>,
})
const TokenReplySchema = z.object({ access_token: z.string().check(z.minLength(1)) })

/** Begins a sign-in (code with PKCE). Returns the URL for the browser and the flow that it must keep until the callback. */
export async function beginSignIn(deps: SignInDeps, returnUrl: string): Promise<{ url: string; flow: string }> {
  const signInFlow: SignInFlow = { state: createRandomToken(), verifier: createRandomToken(), back: returnUrl }
  const authorizeUrl = new URL((await deps.provider()).authorize)
  const codeChallenge = createHash('sha256').update(signInFlow.verifier).digest('base64url')
  const authorizeParameters = {
    client_id: deps.client,
    redirect_uri: deps.callback,
    response_type: 'code',
    scope: 'openid profile email',
    state: signInFlow.state,
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
  }
  for (const [parameterName, parameterValue] of Object.entries(authorizeParameters))
    authorizeUrl.searchParams.set(parameterName, parameterValue)
  return { url: authorizeUrl.href, flow: await sealPayload(deps.secret, 'flow', signInFlow) }
}

/** Completes a sign-in; null if it was not begun here, has expired, or was refused by the provider. */
export async function completeSignIn(
  deps: SignInDeps,
  callbackParameters: { code: string | undefined; state: string | undefined; flow: string | null },
): Promise<{ session: string; back: string } | null> {
  const signInFlow = await unsealPayload(SignInFlow, { secret: deps.secret, use: 'flow', text: callbackParameters.flow })
  if (!signInFlow || !callbackParameters.code || callbackParameters.state !== signInFlow.state) return null
  const tokenResponse = await fetch((await deps.provider()).token, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: deps.client,
      redirect_uri: deps.callback,
      code: callbackParameters.code,
      code_verifier: signInFlow.verifier,
    }),
    signal: AbortSignal.timeout(10_000),
  })
  const tokenReply = parseStoredOrNull(TokenReplySchema, await tokenResponse.json().catch(() => null))
  if (!tokenResponse.ok || !tokenReply) return null
  const verifiedCaller = await deps.verify(tokenReply.access_token)
  if (isRefusal(verifiedCaller)) return null
  return { session: await sealPayload(deps.secret, 'session', { caller: verifiedCaller }), back: signInFlow.back }
}

export async function findSignedInCaller(deps: SignInDeps, sealedSession: string | null): Promise<Caller | null> {
  return (await unsealPayload(SignInSession, { secret: deps.secret, use: 'session', text: sealedSession }))?.caller ?? null
}

/** The token that a form must send back. It prevents forged requests from other sites. */
export const computeFormToken = (deps: SignInDeps, sealedSession: string): string =>
  createHash('sha256').update(deps.secret).update(sealedSession).digest('base64url')
