/** @module-tag slow */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildProductionArgs } from '../../../../scripts/javascript.ts'
import type { OwnAccount } from '@clearway/contract/account/member/provider/schema.ts'
import { createTestDatabase } from '../../test/database.ts'
import { findFreePort } from '../../../engine/test/free-port.ts'
import { createSignInCalls } from '../../test/sign-in.ts'

/** Reports every loaded module of the engine, in any thread. */
const trace = `import { registerHooks } from 'node:module'
registerHooks({ load(url, context, next) {
  if (url.includes('/packages/engine/')) console.error('engine: ' + url)
  return next(url, context)
} })`

const program = buildProductionArgs('packages/server/src/main.ts')

let database: Awaited<ReturnType<typeof createTestDatabase>>
let data: string
const children: ChildProcess[] = []
const createKey = (byte: number) => Buffer.alloc(32, byte).toString('base64')
beforeAll(async () => {
  database = await createTestDatabase()
  data = mkdtempSync(join(tmpdir(), 'clearway-roles-'))
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await database.drop()
  rmSync(data, { recursive: true, force: true })
})

/** Starts a process with these roles and inspects it; returns its output until ready, and how it ended. */
async function startProcess(
  roles: string,
  environment: Record<string, string> = {},
  look: () => Promise<void> = () => Promise.resolve(),
): Promise<{ output: string; code: number | null }> {
  const child = spawn(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(trace)}`, ...program], {
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      CLEARWAY_DATA: join(data, roles.replaceAll(',', '-')),
      CLEARWAY_PORT: '0',
      CLEARWAY_ROLES: roles,
      CLEARWAY_WEB: 'false',
      ...environment,
    },
  })
  children.push(child)
  let output = ''
  const ended = new Promise<number | null>((done) => child.once('exit', done))
  await new Promise<void>((done) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        if (output.includes('Clearway is ready')) done()
      })
    void ended.then(() => done())
  })
  await look()
  child.kill('SIGTERM')
  return { code: await ended, output }
}

it('refuses a process whose secret key is another than that of the database', { timeout: 60_000 }, async () => {
  const first = await startProcess('scheduler', { CLEARWAY_SECRET_KEY: createKey(1) })
  expect(first.output).toContain('Clearway is ready as scheduler')
  // Without the setting, each process creates its own key.
  for (const setting of [{}, { CLEARWAY_SECRET_KEY: createKey(2) }]) {
    const { output, code } = await startProcess('account', setting)
    expect(output).toContain('The secrets in this database are sealed with another secret key')
    expect(output).not.toMatch(/^ +at /m)
    expect(code).toBe(2)
  }
  const renewed = await startProcess('account', { CLEARWAY_SECRET_KEY: createKey(2), CLEARWAY_SECRET_KEY_OLD: createKey(1) })
  expect(renewed.output).toContain('Clearway is ready as account')
})

it('loads the engine, except the dialer, only as a worker', { timeout: 60_000 }, async () => {
  const server = await startProcess('api,account,idp,scheduler', { CLEARWAY_SECRET_KEY: createKey(2) })
  expect(server.output).toContain('Clearway is ready at')
  // Webhooks use the guard's dialer.
  expect(server.output.match(/engine: .*/g)).toEqual([
    expect.stringMatching(/\/packages\/engine\/dist\/guard\/outbound-proxy\.js$/),
    expect.stringMatching(/\/packages\/engine\/dist\/guard\/dial\.js$/),
  ])
  expect(server.code).toBe(0)
  const worker = await startProcess('worker', { CLEARWAY_SECRET_KEY: createKey(2) })
  expect(worker.output).toMatch(/engine: .*\/packages\/engine\/dist\/scan\.js/)
})

it('reports the liveness and readiness of a worker', { timeout: 60_000 }, async () => {
  const port = await findFreePort()
  const states: unknown[] = []
  await startProcess('worker', { CLEARWAY_SECRET_KEY: createKey(2), CLEARWAY_PORT: String(port) }, async () => {
    const readState = async (path: string) => {
      const reply = await fetch(`http://127.0.0.1:${port}${path}`)
      return [reply.status, ((await reply.json()) as { status: unknown }).status]
    }
    // A check of the database that takes too long makes a busy process not ready for a moment.
    await expect.poll(() => readState('/health/ready'), { timeout: 30_000 }).toEqual([200, 'UP'])
    for (const path of ['/health/live', '/monitor-api/scans']) states.push(await readState(path))
  })
  expect(states).toEqual([
    [200, 'UP'],
    [404, 404],
  ])
})

it(
  'takes tokens of a sign-in that another process serves, for as long as their account and session are what they were',
  { timeout: 120_000 },
  async () => {
    const otherDatabase = await createTestDatabase()
    const [at, api] = [await findFreePort(), await findFreePort()]
    const url = `http://127.0.0.1:${at}`
    const shared = {
      DATABASE_URL: otherDatabase.url,
      CLEARWAY_SECRET_KEY: createKey(3),
      CLEARWAY_PUBLIC_URL: url,
      CLEARWAY_ADMIN_PASSWORD: 'correct horse battery',
    }
    const there = createSignInCalls({ url })
    const here = createSignInCalls({ url: `http://127.0.0.1:${api}` })
    const password = 'correct horse battery'
    const newPassword = 'quite another sentence'
    const tokenBy = (word: string) => there.tokenBy('admin', word)
    const status = async (path: string, token: string) => (await here.call('GET', path, token)).status
    const paths = ['/monitor-api/scans', '/axe-account/me'] as const
    const statuses = (token: string) => Promise.all(paths.map((path) => status(path, token)))
    // The other process checks again after five seconds.
    const expectRefused = (token: string) =>
      expect.poll(() => statuses(token), { timeout: 10_000, interval: 500 }).toEqual([401, 401])
    try {
      await startProcess('idp', { ...shared, CLEARWAY_PORT: String(at) }, async () => {
        await startProcess('api,account', { ...shared, CLEARWAY_PORT: String(api) }, async () => {
          const [keptToken, token] = [await tokenBy(password), await tokenBy(password)]
          expect(await statuses(keptToken)).toEqual([200, 200])
          expect(await statuses(token)).toEqual([200, 200])
          const { body } = await there.call('GET', '/realms/clearway/own', token)
          const { id } = (body as OwnAccount).sessions.find(({ isCurrent }) => isCurrent)!
          await there.call('DELETE', `/realms/clearway/own/sessions/${id}`, keptToken)
          await expectRefused(token)
          expect(await statuses(keptToken)).toEqual([200, 200])
          await there.call('POST', '/realms/clearway/own/sessions/end', keptToken)
          await expectRefused(keptToken)
          // A newer token is accepted.
          const next = await tokenBy(password)
          expect(await statuses(next)).toEqual([200, 200])
          await there.call('POST', '/realms/clearway/own/password', next, { password, newPassword })
          await expectRefused(next)
          const last = await tokenBy(newPassword)
          expect(await statuses(last)).toEqual([200, 200])
        })
      })
    } finally {
      await otherDatabase.drop()
    }
  },
)

it('migrates an empty database, and accepts an up-to-date one', { timeout: 60_000 }, async () => {
  const otherDatabase = await createTestDatabase()
  const run = () =>
    spawnSync(process.execPath, [join(import.meta.dirname, 'command/migrate.ts')], {
      env: { ...process.env, DATABASE_URL: otherDatabase.url, CLEARWAY_DATA: join(data, 'migrate') },
      encoding: 'utf8',
    })
  try {
    for (let time = 0; time < 2; time++) expect(run()).toMatchObject({ status: 0, stdout: 'The database is up to date.\n' })
    // Without pending migrations the role starts at once.
    const env = { DATABASE_URL: otherDatabase.url, CLEARWAY_SECRET_KEY: createKey(1), CLEARWAY_DATA: join(data, 'after') }
    expect((await startProcess('scheduler', env)).output).toContain('Clearway is ready as scheduler')
  } finally {
    await otherDatabase.drop()
  }
})
