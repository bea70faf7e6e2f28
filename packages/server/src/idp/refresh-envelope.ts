import { decodeJwt, SignJWT } from 'jose'
import type Provider from 'oidc-provider'

/** Wraps refresh tokens in JWTs, whose expiry Keycloak clients read. The `jti` claim holds the opaque token of oidc-provider. */
export function wrapRefreshTokens(provider: Provider, options: { issuer: string; key: Uint8Array; seconds: number }): void {
  const { RefreshToken } = provider
  const findToken = RefreshToken.find.bind(RefreshToken)
  // The opaque token is verified, so the signature of the envelope adds nothing and is not checked.
  RefreshToken.find = ((tokenValue: string, findOptions?: Parameters<typeof findToken>[1]) =>
    findToken(unwrapToken(tokenValue), findOptions)) as typeof RefreshToken.find
  provider.use(async (ctx, next) => {
    await next()
    const responseBody = ctx.body as { refresh_token?: unknown; refresh_expires_in?: number } | null
    if (ctx.method !== 'POST' || typeof responseBody !== 'object' || typeof responseBody?.refresh_token !== 'string') return
    responseBody.refresh_expires_in = options.seconds
    responseBody.refresh_token = await new SignJWT({ typ: 'Refresh' })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(options.issuer)
      .setIssuedAt()
      .setExpirationTime(`${options.seconds}s`)
      .setJti(responseBody.refresh_token)
      .sign(options.key)
  })
}

function unwrapToken(tokenValue: string): string {
  if (tokenValue.split('.').length !== 3) return tokenValue
  try {
    return decodeJwt(tokenValue).jti ?? tokenValue
  } catch {
    // Not a JWT, so it is not one of our tokens; the lookup fails.
    return tokenValue
  }
}
