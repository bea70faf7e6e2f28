import {
  createLocalJWKSet,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importJWK,
  SignJWT,
  UnsecuredJWT,
} from 'jose'
import { expect, it } from 'vitest'
import { type TokenRules, verifyToken } from './token.ts'

const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
const jwk = { ...(await exportJWK(publicKey)), kid: 'a' }
const rules: TokenRules = {
  issuer: 'https://id.example.org/realms/one',
  audience: 'clearway-api',
  algorithms: ['RS256', 'ES256'],
  roleClaim: 'resource_access.{resource}.roles',
  resource: 'clearway',
  keys: createLocalJWKSet({ keys: [jwk] }),
}
const now = () => Math.floor(Date.now() / 1000)
const claims = () => ({
  sub: 'ann',
  iss: rules.issuer,
  aud: rules.audience,
  exp: now() + 60,
  resource_access: { clearway: { roles: ['access', 'admin'] } },
})
const signed = (changes: Record<string, unknown> = {}) =>
  new SignJWT({ ...claims(), ...changes }).setProtectedHeader({ alg: 'RS256', kid: 'a' }).sign(privateKey)

it('takes a token of the provider, with the roles that it names', async () => {
  expect(await verifyToken(rules, await signed())).toMatchObject({ id: 'ann', role: 'admin' })
  const other = await signed({ resource_access: { another: { roles: ['admin'] } } })
  expect(await verifyToken(rules, other)).toMatchObject({ id: 'ann', role: 'outsider' })
})

it('takes groups for roles, where a map says what each gives', async () => {
  const byGroups = {
    ...rules,
    roleClaim: 'groups',
    roleMap: [
      { value: '/staff/a11y', role: 'access' },
      { value: '/staff/it', role: 'admin' },
    ],
  }
  const roleBy = async (groups: unknown) =>
    ((await verifyToken(byGroups, await signed({ groups }))) as { role: string }).role
  expect(await roleBy(['/staff/a11y', '/other'])).toBe('user')
  expect(await roleBy(['/staff/it', '/staff/a11y'])).toBe('admin')
  // What the map does not name gives nothing, whatever it is called.
  expect(await roleBy(['admin', '/staff/it/sub'])).toBe('outsider')
  expect(await roleBy('admin')).toBe('outsider')
})

const attacks: Record<string, () => Promise<string> | string> = {
  'without a signature': () => new UnsecuredJWT(claims()).encode(),
  'signed with the public key as a password': async () =>
    new SignJWT(claims())
      .setProtectedHeader({ alg: 'HS256', kid: 'a' })
      .sign(new TextEncoder().encode(await exportSPKI(publicKey))),
  'of a key that calls itself the provider’s': async () =>
    new SignJWT(claims())
      .setProtectedHeader({ alg: 'RS256', kid: 'a' })
      .sign((await generateKeyPair('RS256')).privateKey),
  'with a key of its own in its head': async () => {
    const own = await generateKeyPair('RS256', { extractable: true })
    return new SignJWT(claims())
      .setProtectedHeader({ alg: 'RS256', jwk: await exportJWK(own.publicKey) })
      .sign(own.privateKey)
  },
  'by an algorithm that is not in the list': async () =>
    new SignJWT(claims())
      .setProtectedHeader({ alg: 'PS256', kid: 'a' })
      .sign(await importJWK(await exportJWK(privateKey), 'PS256')),
  'for another program': () => signed({ aud: 'another-api' }),
  'for nobody in particular': () => signed({ aud: undefined }),
  'of another provider': () => signed({ iss: 'https://id.example.org/realms/two' }),
  'that has ended': () => signed({ exp: now() - 60 }),
  'that never ends': () => signed({ exp: undefined }),
  'that begins later': () => signed({ nbf: now() + 600 }),
  'of nobody': () => signed({ sub: undefined }),
  'whose claims were changed': async () => {
    const [head, , signature] = (await signed()).split('.')
    const changed = Buffer.from(JSON.stringify({ ...claims(), sub: 'root' })).toString('base64url')
    return [head, changed, signature].join('.')
  },
}
it.each(Object.entries(attacks))('refuses a token %s', async (_, make) => {
  expect(await verifyToken(rules, await make())).toMatchObject({ code: 'token-rejected' })
})
