import { createHash, randomBytes } from 'node:crypto'
import { systemRoles } from '@clearway/contract/kit/permission.ts'
import { jwtVerify, SignJWT } from 'jose'
import * as z from 'zod/mini'
import { type Caller, isRefusal, type Refusal } from '../../../kit/http/answer.ts'
import { readIfSound } from '../../../kit/stored.ts'

/** Where the identity provider is, as a browser sees it and as this process reaches it. */
export type Provider = { authorize: string; token: string }
export type SignInDeps = {
  /** Asked for when first needed: an external provider may start later than we do. */
  provider: () => Promise<Provider>
  client: string
  /** Registered with the provider: where it sends people back to. */
  callback: string
  verify: (token: string) => Promise<Caller | Refusal>
  secret: Uint8Array
}

const lifeSeconds = 600
const random = () => randomBytes(32).toString('base64url')
const seal = (secret: Uint8Array, use: string, payload: Record<string, unknown>) =>
  new SignJWT(payload)
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience(use)
    .setExpirationTime(`${lifeSeconds}s`)
    .sign(secret)

/** What was sealed; null also for what a process of another version sealed otherwise: the person signs in anew. */
async function unseal<T extends z.ZodMiniType>(
  schema: T,
  { secret, use, text }: { secret: Uint8Array; use: string; text: string | null },
): Promise<z.output<T> | null> {
  if (!text) return null
  const read = await jwtVerify(text, secret, { audience: use, algorithms: ['HS256'] }).catch(() => null)
  return read && readIfSound(schema, read.payload)
}

const Flow = z.object({ state: z.string(), verifier: z.string(), back: z.string() })
type Flow = z.output<typeof Flow>
const Session = z.object({
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
const TokenReply = z.object({ access_token: z.string().check(z.minLength(1)) })

/** Begins a sign-in (authorization code with PKCE): where to send the browser, and what it must keep meanwhile. */
export async function beginSignIn(deps: SignInDeps, back: string): Promise<{ url: string; flow: string }> {
  const flow: Flow = { state: random(), verifier: random(), back }
  const url = new URL((await deps.provider()).authorize)
  const challenge = createHash('sha256').update(flow.verifier).digest('base64url')
  const query = {
    client_id: deps.client,
    redirect_uri: deps.callback,
    response_type: 'code',
    scope: 'openid profile email',
    state: flow.state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return { url: url.href, flow: await seal(deps.secret, 'flow', flow) }
}

/** Completes a sign-in; null when it was not begun here, took too long, or the provider refused. */
export async function completeSignIn(
  deps: SignInDeps,
  came: { code: string | undefined; state: string | undefined; flow: string | null },
): Promise<{ session: string; back: string } | null> {
  const flow = await unseal(Flow, { secret: deps.secret, use: 'flow', text: came.flow })
  if (!flow || !came.code || came.state !== flow.state) return null
  const reply = await fetch((await deps.provider()).token, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: deps.client,
      redirect_uri: deps.callback,
      code: came.code,
      code_verifier: flow.verifier,
    }),
    signal: AbortSignal.timeout(10_000),
  })
  const answer = readIfSound(TokenReply, await reply.json().catch(() => null))
  if (!reply.ok || !answer) return null
  const caller = await deps.verify(answer.access_token)
  if (isRefusal(caller)) return null
  return { session: await seal(deps.secret, 'session', { caller }), back: flow.back }
}

/** Who a session of these pages belongs to. */
export async function signedIn(deps: SignInDeps, session: string | null): Promise<Caller | null> {
  return (await unseal(Session, { secret: deps.secret, use: 'session', text: session }))?.caller ?? null
}

/** What a form must bring back, so that no other site can send it. */
export const formToken = (deps: SignInDeps, session: string): string =>
  createHash('sha256').update(deps.secret).update(session).digest('base64url')
