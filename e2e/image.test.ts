/** @module-tag slow */
import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Site, startSite } from '@clearway/fixtures/site/serve.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase } from '../packages/server/test/database.ts'
import { type Client, signIn } from './product/client.ts'
import { compareRun, buildFixtureScan, type Run, waitForRunEnd } from './product/results.ts'
import { adminPassword, findFreePort } from './product/start.ts'

// Runs both images as in production: read-only, without privileges, with the browser's own sandbox on.

const seccomp = join(import.meta.dirname, '../deploy/image/seccomp.json')
// runc also works with control groups of version 1, which Podman's default runtime refuses.
const buildPodmanArgs = (...args: string[]) => ['--runtime', 'runc', ...args]
// Only on request: existing images may be of another commit.
const isAsked = process.env.TEST_IMAGES === 'required'
if (!isAsked) console.warn('The images are NOT TESTED here: deploy/image/build-here.sh, then TEST_IMAGES=required.')

type Container = { name: string; output(): string; stop(): Promise<number | null> }
const startedContainers: Container[] = []

async function startContainer(target: 'server' | 'worker', env: Record<string, string>): Promise<Container> {
  const name = `clearway-test-${target}-${process.pid}`
  const rights = ['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges']
  const profile = target === 'worker' ? ['--security-opt', `seccomp=${seccomp}`] : []
  const writable = ['--tmpfs', '/tmp:mode=1777', '--tmpfs', '/data:mode=1777']
  const limits = ['--ulimit', 'nofile=20000:20000', '--ulimit', 'nproc=4096:4096', '--no-healthcheck']
  const envArgs = Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`])
  const options = ['--rm', '--name', name, '--network', 'host', ...rights, ...profile, ...writable]
  const image = `localhost/clearway-${target}`
  const child = spawn('podman', buildPodmanArgs('run', ...options, ...limits, ...envArgs, image))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (d: Buffer) => (output += d.toString()))
  const exitCode = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const container: Container = { name, output: () => output, stop: async () => (child.kill('SIGTERM'), await exitCode) }
  startedContainers.push(container)
  while (!output.includes('Clearway is ready')) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`The ${target} ended with ${child.exitCode ?? child.signalCode}:\n${output}`)
    await sleep(100)
  }
  return container
}

describe.skipIf(!isAsked)('the images', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>
  let site: Site
  let server: Container
  let worker: Container
  let client: Client

  beforeAll(async () => {
    site = await startSite()
    database = await createTestDatabase()
    const shared = {
      DATABASE_URL: database.url,
      CLEARWAY_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      CLEARWAY_ALLOW_PRIVATE: 'all',
      CLEARWAY_HOST: '127.0.0.1',
    }
    const port = String(await findFreePort())
    server = await startContainer('server', {
      ...shared,
      CLEARWAY_PORT: port,
      CLEARWAY_ADMIN_PASSWORD: adminPassword,
      CLEARWAY_TERMS_REQUIRED: 'false',
    })
    worker = await startContainer('worker', { ...shared, CLEARWAY_PORT: String(await findFreePort()) })
    client = await signIn(`http://127.0.0.1:${port}`, 'admin', adminPassword)
  }, 240_000)
  afterAll(async () => {
    for (const { name } of startedContainers) spawnSync('podman', buildPodmanArgs('rm', '--force', name))
    await site?.close()
    await database?.drop()
  })

  it('run as an unprivileged user, and cannot write to their own files', () => {
    const runInside = (...command: string[]) =>
      spawnSync('podman', buildPodmanArgs('exec', worker.name, ...command), { encoding: 'utf8' })
    expect(runInside('id', '-u').stdout.trim()).toBe('10001')
    expect(runInside('touch', '/app/file').stderr).toContain('Read-only file system')
    expect(runInside('sh', '-c', 'grep CapEff /proc/self/status').stdout).toMatch(/\t0+\n$/)
  })

  it('scan the fixture site with the same results as without containers', { timeout: 300_000 }, async () => {
    const { id } = await client<{ id: string }>('POST', '/scans', buildFixtureScan('In containers', site.url))
    await client('POST', `/scans/${id}/startRun`)
    const run: Run = await waitForRunEnd(client, id, 280_000)
    expect(run).toMatchObject({ status: 'completed', problem: null })
    const { duplicateUrls, actualResult, expectedResult } = await compareRun(client, id, run.number, site.url)
    expect(duplicateUrls).toEqual([])
    expect(actualResult).toEqual(expectedResult)
  })

  it('stop on request', { timeout: 60_000 }, async () => {
    expect(await worker.stop()).toBe(0)
    expect(await server.stop()).toBe(0)
  })
})
