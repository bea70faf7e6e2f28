import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findBrowser } from '@clearway/engine/browser/find.ts'
import { chromium, type Page } from 'playwright-core'
import { type Account, walkIdentity } from './identity-walk.ts'
import { freePort, startProduct } from './product.ts'

/** Walks the product's sign-in on a real Keycloak: `npm run test:keycloak`. Needs Java 17 or newer, and Maven. */
const version = '26.0.0'
const root = join(import.meta.dirname, '..')
const bootstrap: Account = { username: 'root', password: 'root-password-1' }
const admin: Account = { username: 'ada', password: 'ada-password-1' }
const stranger: Account = { username: 'stranger', password: 'nobody has let me in' }

const has = (command: string, ...args: string[]) => spawnSync(command, args, { stdio: 'ignore' }).status === 0

/** The distribution, unpacked once for all runs; fetched by Maven's ordinary client. */
function distribution(): string {
  const cache = join(root, '.cache', 'keycloak')
  const home = join(cache, `keycloak-${version}`)
  if (existsSync(join(home, 'bin', 'kc.sh'))) return home
  const artifact = `org.keycloak:keycloak-quarkus-dist:${version}:zip`
  const got = spawnSync(
    'mvn',
    ['-q', '-B', 'dependency:get', `-Dartifact=${artifact}`, '-Dtransitive=false'],
    { stdio: 'inherit' },
  )
  if (got.status !== 0) throw new Error(`Maven could not fetch ${artifact}`)
  const folder = join(homedir(), '.m2/repository/org/keycloak/keycloak-quarkus-dist', version)
  mkdirSync(cache, { recursive: true })
  // The JDK's own tool unpacks zips where there is no unzip.
  const unpacked = spawnSync('jar', ['-xf', join(folder, `keycloak-quarkus-dist-${version}.zip`)], {
    cwd: cache,
    stdio: 'inherit',
  })
  if (unpacked.status !== 0) throw new Error('The distribution could not be unpacked')
  return home
}

type Keycloak = { url: string; stop: () => Promise<void> }

async function startKeycloak(home: string, folder: string, productUrl: string): Promise<Keycloak> {
  const own = join(folder, 'keycloak')
  cpSync(home, own, { recursive: true })
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
  for (const until = Date.now() + 240_000; Date.now() < until; await sleep(500)) {
    if (child.exitCode !== null) break
    const ready = await fetch(`${url}/realms/clearway/.well-known/openid-configuration`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (ready)
      return {
        url,
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

/** Keycloak's administration, as its root. */
async function administration(url: string) {
  const reply = await fetch(`${url}/realms/master/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', ...bootstrap }),
  })
  const { access_token: token } = (await reply.json()) as { access_token: string }
  return async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(`${url}/admin/realms${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return (text ? JSON.parse(text) : undefined) as T
  }
}
type Admin = Awaited<ReturnType<typeof administration>>

async function addUser(ask: Admin, account: Account, role: string | null): Promise<void> {
  await ask('POST', '/clearway/users', {
    username: account.username,
    enabled: true,
    email: `${account.username}@example.org`,
    emailVerified: true,
    firstName: account.username,
    lastName: 'Test',
    credentials: [{ type: 'password', value: account.password, temporary: false }],
  })
  if (role === null) return
  const [user] = await ask<{ id: string }[]>('GET', `/clearway/users?username=${account.username}&exact=true`)
  const [client] = await ask<{ id: string }[]>('GET', '/clearway/clients?clientId=clearway')
  const found = await ask<object>('GET', `/clearway/clients/${client!.id}/roles/${role}`)
  await ask('POST', `/clearway/users/${user!.id}/role-mappings/clients/${client!.id}`, [found])
}

/** Short lives, so that a minute shows what otherwise takes hours; and who is to sign in. */
async function prepare(url: string): Promise<() => Promise<void>> {
  const ask = await administration(url)
  const realm = await ask<{ id: string }>('GET', '/clearway')
  await ask('PUT', '/clearway', { accessTokenLifespan: 60, ssoSessionIdleTimeout: 120 })
  await addUser(ask, admin, 'admin')
  await addUser(ask, stranger, null)
  return async () => {
    // The token of the administration lives a minute.
    const again = await administration(url)
    await again('POST', '/clearway/components', {
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
}

async function walk(folder: string): Promise<void> {
  const port = await freePort()
  const found = await findBrowser({
    setting: process.env.CLEARWAY_BROWSER ?? null,
    cacheFolder: join(root, '.cache'),
    sandbox: false,
  })
  if (!found.found) throw new Error(`No browser starts. ${found.remedy}`)
  const keycloak = await startKeycloak(distribution(), folder, `http://127.0.0.1:${port}`)
  try {
    const rotateKeys = await prepare(keycloak.url)
    const env = {
      CLEARWAY_OIDC_ISSUER: `${keycloak.url}/realms/clearway`,
      CLEARWAY_ROLES: 'api,account',
      CLEARWAY_TERMS_REQUIRED: 'true',
    }
    const product = await startProduct({ data: join(folder, 'data'), port, env })
    const browser = await chromium.launch({
      executablePath: found.facts.path,
      args: ['--no-sandbox'],
      env: { ...process.env, ...found.facts.env } as Record<string, string>,
    })
    try {
      const newPage = async () =>
        (await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' })).newPage()
      const fillIn = async (page: Page, account: Account) => {
        await page.locator('#username').fill(account.username)
        await page.locator('#password').fill(account.password)
        await page.locator('#kc-login').click()
      }
      const provider = { fillIn, admin, stranger, leapMs: null, rotateKeys }
      const step = async (name: string, work: () => Promise<void>) => {
        const began = Date.now()
        await work()
        console.log(`ok ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`)
      }
      await walkIdentity({ newPage, url: product.url, provider, step })
    } finally {
      await browser.close()
      await product.stop()
    }
  } finally {
    await keycloak.stop()
  }
}

if (!has('java', '-version') || !has('jar', '--version') || !has('mvn', '-v')) {
  console.log('Skipped: the walk on a real Keycloak needs a JDK (17 or newer) and Maven.')
} else {
  const folder = mkdtempSync(join(tmpdir(), 'clearway-keycloak-'))
  try {
    await walk(folder)
    console.log(`Keycloak ${version} does all that the product asks of an identity provider.`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
