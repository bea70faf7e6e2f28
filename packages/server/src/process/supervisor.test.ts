/** @module-tag slow */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createHttpServer, type Server } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SystemHealthDetails } from '@clearway/contract/monitor/health/schema.ts'
import { buildProductionArgs } from '../../../../scripts/javascript.ts'
import { createTestDatabase } from '../../test/database.ts'
import { isProcessAlive } from '../kit/running-process.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let data: string
let product: ChildProcess
let output = ''
let url: string
let provider: Server
let token: string
/** A stub provider with keys only, and an administrator's token. */
async function openProvider(): Promise<string> {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), alg: 'RS256', kid: 'a' }] })
  provider = createHttpServer((_request, reply) => void reply.end(keys))
  await new Promise<void>((done) => provider.listen(0, '127.0.0.1', done))
  const issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  token = await new SignJWT({ resource_access: { clearway: { roles: ['access', 'admin'] } } })
    .setProtectedHeader({ alg: 'RS256', kid: 'a' })
    .setSubject('admin')
    .setIssuer(issuer)
    .setAudience('clearway-api')
    .setExpirationTime('10m')
    .sign(privateKey)
  return issuer
}
beforeAll(async () => {
  const issuer = await openProvider()
  database = await createTestDatabase()
  data = mkdtempSync(join(tmpdir(), 'clearway-supervisor-'))
  product = spawn(process.execPath, buildProductionArgs('packages/server/src/main.ts'), {
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      CLEARWAY_DATA: data,
      CLEARWAY_PORT: '0',
      CLEARWAY_WEB: 'false',
      CLEARWAY_WORKER_IDLE_SECONDS: '1',
      CLEARWAY_ALLOW_PRIVATE: '127.0.0.1/32',
      CLEARWAY_OIDC_ISSUER: issuer,
      CLEARWAY_OIDC_JWKS_URL: `${issuer}/keys`,
      // As under `node --watch`, whose processes report their modules to their parents.
      WATCH_REPORT_DEPENDENCIES: '1',
    },
  })
  for (const stream of [product.stdout!, product.stderr!]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  while (!output.includes('Clearway is ready at') && product.exitCode === null) await sleep(100)
  url = /ready at (\S+)\/monitor /.exec(output)![1]!
}, 60_000)
afterAll(async () => {
  product.kill('SIGKILL')
  for (const pid of Object.values(listChildren())) process.kill(pid, 'SIGKILL')
  provider.close()
  await database.drop()
  rmSync(data, { recursive: true, force: true })
})

/** Child processes of the product by kind. */
const listChildren = () => findChildren(product.pid!)
function findChildren(parent: number): Record<string, number> {
  const childEntries = readdirSync('/proc').flatMap((name) => {
    try {
      if (!readFileSync(`/proc/${name}/status`, 'utf8').includes(`\nPPid:\t${parent}\n`)) return []
      const kind = /child\.js\0(\w+)/.exec(readFileSync(`/proc/${name}/cmdline`, 'utf8'))?.[1]
      return kind === undefined ? [] : [[kind, Number(name)] as const]
    } catch {
      return []
    }
  })
  return Object.fromEntries(childEntries)
}
const readHealthStatus = async () => (await fetch(`${url}/monitor-api/actuator/health/system`)).status
/** Processes in the health details for administrators. */
async function listProcesses() {
  const headers = { authorization: `Bearer ${token}` }
  const reply = await fetch(`${url}/monitor-api/actuator/health/details`, { headers })
  return ((await reply.json()) as SystemHealthDetails).processes
}

it('does not reveal the database URL to other users of the machine', () => {
  const { server, worker } = listChildren()
  expect(server).toBeGreaterThan(0)
  expect(worker).toBeGreaterThan(0)
  for (const pid of [server, worker]) {
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toContain('postgres')
  }
})

it('starts only processes that cannot load TypeScript files', () => {
  const { server, worker } = listChildren()
  for (const pid of [product.pid, server, worker])
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toMatch(/\0--no-strip-types\0.*\/dist\/(main|process\/child)\.js\0/)
})

it('prioritizes the server over the worker', () => {
  const { server, worker } = listChildren()
  expect(getPriority(server)).toBe(getPriority())
  expect(getPriority(worker)).toBe(Math.min(19, getPriority() + 10))
})

it('starts a killed worker again, says why it ended, and answers all the while', { timeout: 60_000 }, async () => {
  const previousChildren = listChildren()
  process.kill(previousChildren.worker!, 'SIGKILL')
  const statuses = new Set<number>()
  for (
    const until = Date.now() + 40_000;
    Date.now() < until && (listChildren().worker ?? previousChildren.worker) === previousChildren.worker;
  ) {
    statuses.add(await readHealthStatus())
    await sleep(50)
  }
  expect(listChildren().worker).not.toBe(previousChildren.worker)
  expect(listChildren().server).toBe(previousChildren.server)
  expect([...statuses]).toEqual([200])
  const again = { kind: 'worker', pid: listChildren().worker, status: 'UP', restarts: 1 }
  await expect.poll(listProcesses, { timeout: 20_000 }).toMatchObject([
    { kind: 'server', id: null, pid: previousChildren.server, status: 'UP', restarts: 0 },
    { ...again, id: expect.any(String) as string },
  ])
  expect(output).toMatch(
    new RegExp(`The worker \\(process ${previousChildren.worker}\\) ended after \\d+ s by SIGKILL.* starts again in 1 s\\.`),
  )
})

it('starts an idle worker anew after its work, which counts as no restart', { timeout: 90_000 }, async () => {
  await expect.poll(() => listChildren().worker).toBeGreaterThan(0)
  const { server, worker } = listChildren()
  const site = createHttpServer((_request, reply) => void reply.setHeader('content-type', 'text/html').end('<title>Page</title>'))
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done))
  const siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`
  const call = async <T>(method: string, path: string, body?: object) => {
    const reply = await fetch(`${url}/monitor-api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    expect(reply.status, await reply.clone().text()).toBeLessThan(300)
    return (await reply.json()) as T
  }
  const { id } = await call<{ id: string }>('POST', '/scans', { name: 'Short', type: 'custom', urls: [siteUrl], pageLimit: 1 })
  await call('POST', `/scans/${id}/startRun`)
  await expect.poll(() => listChildren().worker ?? worker, { timeout: 60_000 }).not.toBe(worker)
  site.close()
  expect(output).toContain('it starts anew after its work')
  expect(await call('GET', `/scans/${id}/runs/1/overview`)).toMatchObject({ status: 'completed' })
  // As before: the one restart is that of the killed worker.
  await expect.poll(listProcesses, { timeout: 20_000 }).toMatchObject([
    { kind: 'server', pid: server, status: 'UP', restarts: 0 },
    { kind: 'worker', pid: listChildren().worker, status: 'UP', restarts: 1 },
  ])
})

it('leaves no process behind when it is killed', { timeout: 30_000 }, async () => {
  await expect.poll(() => Object.keys(listChildren()).sort(), { timeout: 10_000 }).toEqual(['server', 'worker'])
  const childPids = Object.values(listChildren())
  product.kill('SIGKILL')
  await expect.poll(() => childPids.filter(isProcessAlive), { timeout: 15_000 }).toEqual([])
})

describe('ends soon when stopped before it is ready', () => {
  const startOn = (databaseUrl: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'clearway-supervisor-'))
    const early = spawn(process.execPath, buildProductionArgs('packages/server/src/main.ts'), {
      env: { ...process.env, DATABASE_URL: databaseUrl, CLEARWAY_DATA: folder, CLEARWAY_PORT: '0', CLEARWAY_WEB: 'false' },
    })
    const ended = new Promise((done) => early.once('exit', done))
    return {
      children: () => findChildren(early.pid!),
      end: async () => {
        early.kill('SIGTERM')
        const code = await Promise.race([ended, sleep(20_000, 'still there')])
        early.kill('SIGKILL')
        rmSync(folder, { recursive: true, force: true })
        return code
      },
    }
  }
  it('on a database that accepts connections but never responds', { timeout: 60_000 }, async () => {
    const silent = createServer(() => undefined)
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done))
    const { end: waitForEnd } = startOn(`postgres://x@127.0.0.1:${(silent.address() as AddressInfo).port}/x`)
    await sleep(4000)
    expect(await waitForEnd()).toBe(0)
    silent.close()
  })
  it('while its processes load', { timeout: 60_000 }, async () => {
    const { children: begun, end: waitForEnd } = startOn(database.url)
    await expect.poll(() => Object.keys(begun()), { timeout: 30_000, interval: 20 }).toHaveLength(2)
    const childPids = Object.values(begun())
    expect(await waitForEnd()).toBe(0)
    await expect.poll(() => childPids.filter(isProcessAlive)).toEqual([])
  })
})
