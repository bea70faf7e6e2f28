import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Account } from '../walk/identity.ts'
import { findFreePort } from '../product/start.ts'

/** A real Keycloak with the realm of `deploy/keycloak`, and its admin API. */
export const version = '26.0.0'
const root = join(import.meta.dirname, '../..')
const bootstrap: Account = { username: 'root', password: 'root-password-1' }

/** Returns the folder of the distribution, unpacked once for all runs; fetched by Maven's ordinary client. */
export function prepareDistribution(): string {
  const cache = join(root, '.cache', 'keycloak')
  const readyFolder = join(cache, `ready-${version}`)
  if (existsSync(readyFolder)) return readyFolder
  const artifact = `org.keycloak:keycloak-quarkus-dist:${version}:zip`
  const download = spawnSync('mvn', ['-q', '-B', 'dependency:get', `-Dartifact=${artifact}`, '-Dtransitive=false'], {
    stdio: 'inherit',
  })
  if (download.status !== 0) throw new Error(`Maven could not fetch ${artifact}`)
  const folder = join(homedir(), '.m2/repository/org/keycloak/keycloak-quarkus-dist', version)
  const home = join(cache, `keycloak-${version}`)
  rmSync(home, { recursive: true, force: true })
  mkdirSync(cache, { recursive: true })
  // The JDK's own tool unpacks zips where unzip is missing.
  const unpacked = spawnSync('jar', ['-xf', join(folder, `keycloak-quarkus-dist-${version}.zip`)], {
    cwd: cache,
    stdio: 'inherit',
  })
  if (unpacked.status !== 0) throw new Error('The distribution could not be unpacked')
  // Build step that each start would otherwise repeat, a minute of two processors.
  const built = spawnSync('sh', ['bin/kc.sh', 'build'], { cwd: home, stdio: 'ignore' })
  if (built.status !== 0) throw new Error('Keycloak could not be built')
  // Renamed once it is complete.
  renameSync(home, readyFolder)
  return readyFolder
}

export type Keycloak = { url: string; issuer: string; ask: KeycloakCall; stop: () => Promise<void> }
/** Calls Keycloak's admin API as its root user. */
export type KeycloakCall = <T>(method: string, path: string, body?: unknown) => Promise<T>

export async function startKeycloak(folder: string, productUrl: string): Promise<Keycloak> {
  const keycloakFolder = join(folder, 'keycloak')
  cpSync(prepareDistribution(), keycloakFolder, { recursive: true })
  mkdirSync(join(keycloakFolder, 'data/import'), { recursive: true })
  cpSync(join(root, 'deploy/keycloak/clearway-realm.json'), join(keycloakFolder, 'data/import/clearway-realm.json'))
  const port = await findFreePort()
  const args = ['bin/kc.sh', 'start-dev', '--http-host=127.0.0.1', `--http-port=${port}`, '--import-realm']
  const child: ChildProcess = spawn('sh', args, {
    cwd: keycloakFolder,
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
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const url = `http://127.0.0.1:${port}`
  const issuer = `${url}/realms/clearway`
  for (const deadline = performance.now() + 240_000; performance.now() < deadline; await sleep(500)) {
    if (child.exitCode !== null) break
    const isReady = await fetch(`${issuer}/.well-known/openid-configuration`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady)
      return {
        url,
        issuer,
        ask: createAdminClient(url),
        stop: async () => {
          // The script starts Java as a child: the process group ends together.
          process.kill(-child.pid!, 'SIGTERM')
          while (child.exitCode === null && child.signalCode === null) await sleep(100)
        },
      }
  }
  if (child.exitCode === null) process.kill(-child.pid!, 'SIGKILL')
  throw new Error(`Keycloak did not start:\n${output.slice(-3000)}`)
}

const createAdminClient =
  (url: string): KeycloakCall =>
  async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    // Its token lives for one minute, shorter than a walk.
    const reply = await fetch(`${url}/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', ...bootstrap }),
    })
    const { access_token: token } = (await reply.json()) as { access_token: string }
    const response = await fetch(`${url}/admin/realms/clearway${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const responseText = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${responseText}`)
    return (responseText ? JSON.parse(responseText) : undefined) as T
  }

const findClientId = async (callKeycloak: KeycloakCall, name: string): Promise<string> =>
  (await callKeycloak<{ id: string }[]>('GET', `/clients?clientId=${name}`))[0]!.id

/** Creates a user; `more` holds Keycloak's user properties besides name, email and password. */
export async function addUser(callKeycloak: KeycloakCall, account: Account, extraProperties: object = {}): Promise<void> {
  await callKeycloak('POST', '/users', {
    username: account.username,
    enabled: true,
    email: `${account.username}@example.org`,
    emailVerified: true,
    firstName: account.username,
    lastName: 'Test',
    credentials: [{ type: 'password', value: account.password, temporary: false }],
    ...extraProperties,
  })
}

export const findUserId = async (callKeycloak: KeycloakCall, username: string): Promise<string> =>
  (await callKeycloak<{ id: string }[]>('GET', `/users?username=${username}&exact=true`))[0]!.id

/** Grants or revokes a role of the resource client. */
export async function changeRole(
  callKeycloak: KeycloakCall,
  method: 'POST' | 'DELETE',
  username: string,
  role: string,
): Promise<void> {
  const client = await findClientId(callKeycloak, 'clearway')
  const roleRepresentation = await callKeycloak<object>('GET', `/clients/${client}/roles/${role}`)
  await callKeycloak(method, `/users/${await findUserId(callKeycloak, username)}/role-mappings/clients/${client}`, [
    roleRepresentation,
  ])
}

/** Returns the secret that Keycloak generated for the product's own client. */
export const readServiceSecret = async (callKeycloak: KeycloakCall): Promise<string> =>
  (await callKeycloak<{ value: string }>('GET', `/clients/${await findClientId(callKeycloak, 'clearway-service')}/client-secret`))
    .value

/** Puts the groups of people into access tokens, as the claim `groups`. */
export async function putGroupsIntoTokens(callKeycloak: KeycloakCall): Promise<void> {
  await callKeycloak('POST', `/clients/${await findClientId(callKeycloak, 'clearway-web')}/protocol-mappers/models`, {
    name: 'groups',
    protocol: 'openid-connect',
    protocolMapper: 'oidc-group-membership-mapper',
    config: { 'claim.name': 'groups', 'full.path': 'true', 'access.token.claim': 'true' },
  })
}

export async function rotateKeys(callKeycloak: KeycloakCall): Promise<void> {
  const realm = await callKeycloak<{ id: string }>('GET', '')
  await callKeycloak('POST', '/components', {
    name: 'rotated',
    providerId: 'rsa-generated',
    providerType: 'org.keycloak.keys.KeyProvider',
    parentId: realm.id,
    config: { priority: ['200'], enabled: ['true'], active: ['true'], keySize: ['2048'], algorithm: ['RS256'] },
  })
}
