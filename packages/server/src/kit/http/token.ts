import { getSystemRole } from '@clearway/contract/kit/permission.ts'
import type { FastifyRequest } from 'fastify'
import { createRemoteJWKSet, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { loadOnce } from '../load-once.ts'
import { type Caller, type Refusal, refuse } from './answer.ts'

export type TokenRules = {
  issuer: string
  audience: string
  algorithms: readonly string[]
  /** Path of the roles, such as `resource_access.clearway.roles`; `{resource}` stands for the resource client. */
  roleClaim: string
  resource: string
  /** Maps values of the claim to roles, if they are not roles themselves, such as groups. */
  roleMap?: readonly { value: string; role: string }[]
  keys: JWTVerifyGetKey
  /** True if the account still matches the token; omitted if only the provider knows. */
  isCurrent?: (payload: JWTPayload) => Promise<boolean>
}

/** The claim that names the session of a token of the embedded provider. */
export const sessionClaim = 'account_session'

const toText = (value: unknown): string => (typeof value === 'string' ? value : '')

function readRoles(payload: JWTPayload, tokenRules: TokenRules): string[] {
  let currentValue: unknown = payload
  // The resource name may contain dots, so the placeholder stands for a whole step.
  for (const pathStep of tokenRules.roleClaim.split('.'))
    currentValue = (currentValue as Record<string, unknown> | null | undefined)?.[
      pathStep === '{resource}' ? tokenRules.resource : pathStep
    ]
  const claimValues = Array.isArray(currentValue) ? currentValue.filter((role) => typeof role === 'string') : []
  const roleMap = tokenRules.roleMap ?? []
  return roleMap.length === 0 ? claimValues : roleMap.filter(({ value }) => claimValues.includes(value)).map(({ role }) => role)
}

/** Unknown key ids trigger at most one fetch per second, so that made-up ids cannot cause a flood. */
const keySetOptions = { cooldownDuration: 1000 }

/** The provider's keys, by discovery or at a known URL. Fetched on first use, and again for an unknown key. */
export function createProviderKeys(options: { issuer: string; jwksUrl: string | null }): JWTVerifyGetKey {
  const loadKeys = loadOnce(async () => {
    if (options.jwksUrl) return createRemoteJWKSet(new URL(options.jwksUrl), keySetOptions)
    const discoveryReply = await fetch(`${options.issuer}/.well-known/openid-configuration`, {
      signal: AbortSignal.timeout(10_000),
    })
    const { jwks_uri: jwksUri } = (await discoveryReply.json()) as { jwks_uri: string }
    return createRemoteJWKSet(new URL(jwksUri), keySetOptions)
  })
  return async (header, token) => (await loadKeys())(header, token)
}

/** Returns the caller that a token names, or a refusal if it is invalid. `onReject` receives the reason, for the log. */
export async function verifyToken(
  tokenRules: TokenRules,
  token: string,
  onReject: (code: unknown) => void = () => {},
): Promise<Caller | Refusal> {
  let payload: JWTPayload
  try {
    ;({ payload } = await jwtVerify(token, tokenRules.keys, {
      issuer: tokenRules.issuer,
      audience: tokenRules.audience,
      algorithms: [...tokenRules.algorithms],
      requiredClaims: ['sub', 'exp'],
      clockTolerance: 5,
    }))
  } catch (error) {
    onReject((error as { code?: unknown }).code)
    return refuse('token-rejected')
  }
  // Throws if the database is unavailable, which must not reject a token.
  if (tokenRules.isCurrent && !(await tokenRules.isCurrent(payload))) {
    onReject('account changed')
    return refuse('token-rejected')
  }
  const callerRoles = readRoles(payload, tokenRules)
  return {
    id: payload.sub!,
    username: toText(payload.preferred_username) || payload.sub!,
    firstName: toText(payload.given_name),
    lastName: toText(payload.family_name),
    email: toText(payload.email) || null,
    role: getSystemRole(callerRoles),
    ...(callerRoles.includes('service') && { service: true as const }),
    expiresAt: payload.exp! * 1000,
    ...(typeof payload.auth_time === 'number' && { signedInAt: payload.auth_time * 1000 }),
    ...(typeof payload[sessionClaim] === 'string' && { session: payload[sessionClaim] }),
  }
}

/** Identifies the caller by the bearer token. Null without a token; a refusal if it is invalid. */
export async function identify(tokenRules: TokenRules, request: FastifyRequest): Promise<Caller | null | Refusal> {
  const authorizationHeader = request.headers.authorization
  if (authorizationHeader === undefined) return null
  const bearerToken = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorizationHeader)?.[1]
  if (!bearerToken) return refuse('token-rejected')
  return verifyToken(tokenRules, bearerToken, (reason) => request.log.info({ reason }, 'token rejected'))
}
