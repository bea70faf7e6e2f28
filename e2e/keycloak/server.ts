import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Account } from '../walk/identity.ts'
import { freePort } from '../product/start.ts'

/** A real Keycloak with the realm of `deploy/keycloak`, and its administration. */
export const version = '26.0.0'
const root = join(import.meta.dirname, '../..')
const bootstrap: Account = { username: 'root', password: 'root-password-1' }

/** The distribution, unpacked once for all runs; fetched by Maven's ordinary client. */
function distribution(): string {
  const cache = join(root, '.cache', 'keycloak')
  const ready = join(cache, `ready-${version}`)
  if (existsSync(ready)) return ready
  const artifact = `org.keycloak:keycloak-quarkus-dist:${version}:zip`
  const got = spawnSync(
    'mvn',
    ['-q', '-B', 'dependency:get', `-Dartifact=${artifact}`, '-Dtransitive=false'],
    { stdio: 'inherit' },
  )
  if (got.status !== 0) throw new Error(`Maven could not fetch ${artifact}`)
  const folder = join(homedir(), '.m2/repository/org/keycloak/keycloak-quarkus-dist', version)
  const home = join(cache, `keycloak-${version}`)
  rmSync(home, { recursive: true, force: true })
  mkdirSync(cache, { recursive: true })
  // The JDK's own tool unpacks zips where there is no unzip.
  const unpacked = spawnSync('jar', ['-xf', join(folder, `keycloak-quarkus-dist-${version}.zip`)], {
    cwd: cache,
    stdio: 'inherit',
  })
  if (unpacked.status !== 0) throw new Error('The distribution could not be unpacked')
  // What a start would otherwise do each time, a minute of two processors' work.
  const built = spawnSync('sh', ['bin/kc.sh', 'build'], { cwd: home, stdio: 'ignore' })
  if (built.status !== 0) throw new Error('Keycloak could not be built')
  // Under its name once it is whole.
  renameSync(home, ready)
  return ready
}

export type Keycloak = { url: string; issuer: string; ask: Ask; stop: () => Promise<void> }
/** A call of Keycloak's administration, as its root. */
export type Ask = <T>(method: string, path: string, body?: unknown) => Promise<T>

export async function startKeycloak(folder: string, productUrl: string): Promise<Keycloak> {
  const own = join(folder, 'keycloak')
  cpSync(distribution(), own, { recursive: true })
  mkdirSync(join(own, 'data/import'), { recursive: true })
  cpSync(join(root, 'deploy/keycloak/clearway-realm.json'), join(own, 'data/import/clearway-realm.json'))
  const port = await freePort()
  const args = ['bin/kc.sh', 'start-dev', '--http-host=127.0.0.1', `--http-port=${port}`, '--import-realm']
  const child: ChildProcess = spawn('sh', args, {
    cwd: own,
    detached: true,
    env: {
      ...process.env,
      CLEARWAY_URL: productUrl,
      KC_BOOTSTRAP_ADMIN_USERNAME: bootstrap.username,
      KC_BOOTSTRAP_ADMIN_PASSWORD: bootstrap.password,
      JAVA_OPTS_APPEND: '-Xmx700m',
    },
  })
  let output = ''
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const url = `http://127.0.0.1:${port}`
  const issuer = `${url}/realms/clearway`
  for (const until = performance.now() + 240_000; performance.now() < until; await sleep(500)) {
    if (child.exitCode !== null) break
    const ready = await fetch(`${issuer}/.well-known/openid-configuration`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (ready)
      return {
        url,
        issuer,
        ask: administration(url),
        stop: async () => {
          // The script starts Java as a child: the group ends together.
          process.kill(-child.pid!, 'SIGTERM')
          while (child.exitCode === null && child.signalCode === null) await sleep(100)
        },
      }
  }
  if (child.exitCode === null) process.kill(-child.pid!, 'SIGKILL')
  throw new Error(`Keycloak did not start:\n${output.slice(-3000)}`)
}

const administration =
  (url: string): Ask =>
  async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    // Its token lives a minute, less than a walk takes.
    const reply = await fetch(`${url}/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', ...bootstrap }),
    })
    const { access_token: token } = (await reply.json()) as { access_token: string }
    const answer = await fetch(`${url}/admin/realms/clearway${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return (text ? JSON.parse(text) : undefined) as T
  }

const clientId = async (ask: Ask, name: string): Promise<string> =>
  (await ask<{ id: string }[]>('GET', `/clients?clientId=${name}`))[0]!.id

/** Somebody new; `more` is what Keycloak's user has beside a name, an email and a password. */
export async function addUser(ask: Ask, account: Account, more: object = {}): Promise<void> {
  await ask('POST', '/users', {
    username: account.username,
    enabled: true,
    email: `${account.username}@example.org`,
    emailVerified: true,
    firstName: account.username,
    lastName: 'Test',
    credentials: [{ type: 'password', value: account.password, temporary: false }],
    ...more,
  })
}

export const userId = async (ask: Ask, username: string): Promise<string> =>
  (await ask<{ id: string }[]>('GET', `/users?username=${username}&exact=true`))[0]!.id

/** Gives somebody a role of the resource client, or takes it away. */
export async function changeRole(
  ask: Ask,
  method: 'POST' | 'DELETE',
  username: string,
  role: string,
): Promise<void> {
  const client = await clientId(ask, 'clearway')
  const found = await ask<object>('GET', `/clients/${client}/roles/${role}`)
  await ask(method, `/users/${await userId(ask, username)}/role-mappings/clients/${client}`, [found])
}

/** The secret that Keycloak made for the client of the product itself. */
export const serviceSecret = async (ask: Ask): Promise<string> =>
  (await ask<{ value: string }>('GET', `/clients/${await clientId(ask, 'clearway-service')}/client-secret`))
    .value

/** Puts the groups of people into access tokens, as the claim `groups`. */
export async function putGroupsIntoTokens(ask: Ask): Promise<void> {
  await ask('POST', `/clients/${await clientId(ask, 'clearway-web')}/protocol-mappers/models`, {
    name: 'groups',
    protocol: 'openid-connect',
    protocolMapper: 'oidc-group-membership-mapper',
    config: { 'claim.name': 'groups', 'full.path': 'true', 'access.token.claim': 'true' },
  })
}

/** Signs with a new key from now on. */
export async function rotateKeys(ask: Ask): Promise<void> {
  const realm = await ask<{ id: string }>('GET', '')
  await ask('POST', '/components', {
    name: 'rotated',
    providerId: 'rsa-generated',
    providerType: 'org.keycloak.keys.KeyProvider',
    parentId: realm.id,
    config: {
      priority: ['200'],
      enabled: ['true'],
      active: ['true'],
      keySize: ['2048'],
      algorithm: ['RS256'],
    },
  })
}
