import { getSystemRole } from '@clearway/contract/kit/permission.ts'
import type { FastifyRequest } from 'fastify'
import { createRemoteJWKSet, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { type Caller, type Refusal, refuse } from './answer.ts'

export type TokenRules = {
  issuer: string
  audience: string
  algorithms: readonly string[]
  /** Path of the roles, `resource_access.clearway.roles`; `{resource}` is the resource client. */
  roleClaim: string
  resource: string
  /** What values of that claim mean, where they are not the roles themselves: a group, and the role that it gives. */
  roleMap?: readonly { value: string; role: string }[]
  /** Where the provider's keys are. */
  keys: JWTVerifyGetKey
  /** Whether the account is still what the token says; left out where only the provider knows. */
  isCurrent?: (payload: JWTPayload) => Promise<boolean>
}

/** The claim by which the embedded provider names the session of a token. */
export const sessionClaim = 'account_session'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

function rolesOf(payload: JWTPayload, rules: TokenRules): string[] {
  let at: unknown = payload
  // The resource's own name may hold dots, so it takes the place of a whole step.
  for (const step of rules.roleClaim.split('.'))
    at = (at as Record<string, unknown> | null | undefined)?.[step === '{resource}' ? rules.resource : step]
  const values = Array.isArray(at) ? at.filter((role) => typeof role === 'string') : []
  const map = rules.roleMap ?? []
  return map.length === 0 ? values : map.filter(({ value }) => values.includes(value)).map(({ role }) => role)
}

/** A new key is asked for at once; made-up key names make us ask once a second and no more. */
const keyOptions = { cooldownDuration: 1000 }

/** The provider's keys by discovery, or at a known URL; fetched when first needed, and again for an unknown key. */
export function providerKeys(options: { issuer: string; jwksUrl: string | null }): JWTVerifyGetKey {
  let keys: Promise<JWTVerifyGetKey> | null = null
  const discover = async () => {
    if (options.jwksUrl) return createRemoteJWKSet(new URL(options.jwksUrl), keyOptions)
    const reply = await fetch(`${options.issuer}/.well-known/openid-configuration`, {
      signal: AbortSignal.timeout(10_000),
    })
    const { jwks_uri } = (await reply.json()) as { jwks_uri: string }
    return createRemoteJWKSet(new URL(jwks_uri), keyOptions)
  }
  return async (header, token) => {
    keys ??= discover()
    // A provider that was away is asked again at the next call.
    const found = await keys.catch((error: unknown) => {
      keys = null
      throw error
    })
    return found(header, token)
  }
}

/** The caller that a token names; a refusal if it is not valid. `onReject` gets the reason, for the log. */
export async function verifyToken(
  rules: TokenRules,
  token: string,
  onReject: (code: unknown) => void = () => {},
): Promise<Caller | Refusal> {
  let payload: JWTPayload
  try {
    ;({ payload } = await jwtVerify(token, rules.keys, {
      issuer: rules.issuer,
      audience: rules.audience,
      algorithms: [...rules.algorithms],
      requiredClaims: ['sub', 'exp'],
      clockTolerance: 5,
    }))
  } catch (error) {
    onReject((error as { code?: unknown }).code)
    return refuse('token-rejected')
  }
  // A database that is away is no reason to sign anybody out.
  if (rules.isCurrent && !(await rules.isCurrent(payload))) {
    onReject('account changed')
    return refuse('token-rejected')
  }
  const roles = rolesOf(payload, rules)
  return {
    id: payload.sub!,
    username: text(payload.preferred_username) || payload.sub!,
    firstName: text(payload.given_name),
    lastName: text(payload.family_name),
    email: text(payload.email) || null,
    role: getSystemRole(roles),
    ...(roles.includes('service') && { service: true as const }),
    expiresAt: payload.exp! * 1000,
    ...(typeof payload.auth_time === 'number' && { signedInAt: payload.auth_time * 1000 }),
    ...(typeof payload[sessionClaim] === 'string' && { session: payload[sessionClaim] }),
  }
}

/** Reads who calls from the bearer token. Null without one; a refusal for one that is not valid. */
export async function identify(rules: TokenRules, request: FastifyRequest): Promise<Caller | null | Refusal> {
  const header = request.headers.authorization
  if (header === undefined) return null
  const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(header)?.[1]
  if (!token) return refuse('token-rejected')
  return verifyToken(rules, token, (reason) => request.log.info({ reason }, 'token rejected'))
}
