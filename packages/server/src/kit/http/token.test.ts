import { createLocalJWKSet, exportJWK, exportSPKI, generateKeyPair, importJWK, SignJWT, UnsecuredJWT } from 'jose'
import { expect, it } from 'vitest'
import { type TokenRules, verifyToken } from './token.ts'

const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
const publicJwk = { ...(await exportJWK(publicKey)), kid: 'a' }
const tokenRules: TokenRules = {
  issuer: 'https://id.example.org/realms/one',
  audience: 'clearway-api',
  algorithms: ['RS256', 'ES256'],
  roleClaim: 'resource_access.{resource}.roles',
  resource: 'clearway',
  keys: createLocalJWKSet({ keys: [publicJwk] }),
}
const getCurrentSeconds = () => Math.floor(Date.now() / 1000)
const createClaims = () => ({
  sub: 'ann',
  iss: tokenRules.issuer,
  aud: tokenRules.audience,
  exp: getCurrentSeconds() + 60,
  resource_access: { clearway: { roles: ['access', 'admin'] } },
})
const signToken = (changes: Record<string, unknown> = {}) =>
  new SignJWT({ ...createClaims(), ...changes }).setProtectedHeader({ alg: 'RS256', kid: 'a' }).sign(privateKey)

it('accepts a token of the provider, with the roles that it names', async () => {
  expect(await verifyToken(tokenRules, await signToken())).toMatchObject({ id: 'ann', role: 'admin' })
  const foreignToken = await signToken({ resource_access: { another: { roles: ['admin'] } } })
  expect(await verifyToken(tokenRules, foreignToken)).toMatchObject({ id: 'ann', role: 'outsider' })
})

it('maps groups to roles', async () => {
  const groupRules = {
    ...tokenRules,
    roleClaim: 'groups',
    roleMap: [
      { value: '/staff/a11y', role: 'access' },
      { value: '/staff/it', role: 'admin' },
    ],
  }
  const getRole = async (groups: unknown) =>
    ((await verifyToken(groupRules, await signToken({ groups }))) as { role: string }).role
  expect(await getRole(['/staff/a11y', '/other'])).toBe('user')
  expect(await getRole(['/staff/it', '/staff/a11y'])).toBe('admin')
  // Groups that are not in the map give no role, even if they are named like one.
  expect(await getRole(['admin', '/staff/it/sub'])).toBe('outsider')
  expect(await getRole('admin')).toBe('outsider')
})

const attacks: Record<string, () => Promise<string> | string> = {
  'without a signature': () => new UnsecuredJWT(createClaims()).encode(),
  'signed with the public key as a password': async () =>
    new SignJWT(createClaims())
      .setProtectedHeader({ alg: 'HS256', kid: 'a' })
      .sign(new TextEncoder().encode(await exportSPKI(publicKey))),
  'of a key with the key id of the provider': async () =>
    new SignJWT(createClaims()).setProtectedHeader({ alg: 'RS256', kid: 'a' }).sign((await generateKeyPair('RS256')).privateKey),
  'with its own key in its header': async () => {
    const ownKeys = await generateKeyPair('RS256', { extractable: true })
    return new SignJWT(createClaims())
      .setProtectedHeader({ alg: 'RS256', jwk: await exportJWK(ownKeys.publicKey) })
      .sign(ownKeys.privateKey)
  },
  'by an algorithm that is not in the list': async () =>
    new SignJWT(createClaims())
      .setProtectedHeader({ alg: 'PS256', kid: 'a' })
      .sign(await importJWK(await exportJWK(privateKey), 'PS256')),
  'for another program': () => signToken({ aud: 'another-api' }),
  'without an audience': () => signToken({ aud: undefined }),
  'of another provider': () => signToken({ iss: 'https://id.example.org/realms/two' }),
  'that has expired': () => signToken({ exp: getCurrentSeconds() - 60 }),
  'that never expires': () => signToken({ exp: undefined }),
  'that is not valid yet': () => signToken({ nbf: getCurrentSeconds() + 600 }),
  'without a subject': () => signToken({ sub: undefined }),
  'whose claims were changed': async () => {
    const [tokenHeader, , signature] = (await signToken()).split('.')
    const changedPayload = Buffer.from(JSON.stringify({ ...createClaims(), sub: 'root' })).toString('base64url')
    return [tokenHeader, changedPayload, signature].join('.')
  },
}
it.each(Object.entries(attacks))('refuses a token %s', async (_, createToken) => {
  expect(await verifyToken(tokenRules, await createToken())).toMatchObject({ code: 'token-rejected' })
})
