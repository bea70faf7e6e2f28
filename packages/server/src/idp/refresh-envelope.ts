import { decodeJwt, SignJWT } from 'jose'
import type Provider from 'oidc-provider'

/**
 * Keycloak's refresh tokens are JWTs, and its clients read when they end; oidc-provider's are opaque. They leave in
 * a JWT (`jti` is the token) and are taken out of it when they come back.
 */
export function wrapRefreshTokens(
  provider: Provider,
  options: { issuer: string; key: Uint8Array; seconds: number },
): void {
  const { RefreshToken } = provider
  const find = RefreshToken.find.bind(RefreshToken)
  // The opaque value inside is what is checked, so the envelope's signature adds nothing and is not asked for.
  RefreshToken.find = ((value: string, how?: Parameters<typeof find>[1]) =>
    find(opaque(value), how)) as typeof RefreshToken.find
  provider.use(async (ctx, next) => {
    await next()
    const body = ctx.body as { refresh_token?: unknown; refresh_expires_in?: number } | null
    if (ctx.method !== 'POST' || typeof body !== 'object' || typeof body?.refresh_token !== 'string') return
    body.refresh_expires_in = options.seconds
    body.refresh_token = await new SignJWT({ typ: 'Refresh' })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(options.issuer)
      .setIssuedAt()
      .setExpirationTime(`${options.seconds}s`)
      .setJti(body.refresh_token)
      .sign(options.key)
  })
}

function opaque(value: string): string {
  if (value.split('.').length !== 3) return value
  try {
    return decodeJwt(value).jti ?? value
  } catch {
    // No JWT after all: then it is no token of ours either, and the search says so.
    return value
  }
}
