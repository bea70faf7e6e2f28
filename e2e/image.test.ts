import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Site, startSite } from '@clearway/fixtures/site/serve.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testDatabase } from '../packages/server/test/database.ts'
import { type Client, signIn } from './product/client.ts'
import { compareRun, fixtureScan, type Run, runEnded } from './product/results.ts'
import { adminPassword, freePort } from './product/start.ts'

// The two images as they are run in production: read-only, without rights, the browser's own sandbox on.

const seccomp = join(import.meta.dirname, '../deploy/image/seccomp.json')
// runc also works with control groups of version 1, which Podman's default runtime refuses.
const podman = (...args: string[]) => ['--runtime', 'runc', ...args]
// Only on request: images that are there may be of another state of the code.
const isAsked = process.env.TEST_IMAGES === 'required'
if (!isAsked)
  console.warn('The images are NOT TESTED here: deploy/image/build-here.sh, then TEST_IMAGES=required.')

type Container = { name: string; output(): string; stop(): Promise<number | null> }
const started: Container[] = []

async function start(target: 'server' | 'worker', env: Record<string, string>): Promise<Container> {
  const name = `clearway-test-${target}-${process.pid}`
  const rights = ['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges']
  const profile = target === 'worker' ? ['--security-opt', `seccomp=${seccomp}`] : []
  const writable = ['--tmpfs', '/tmp:mode=1777', '--tmpfs', '/data:mode=1777']
  const limits = ['--ulimit', 'nofile=20000:20000', '--ulimit', 'nproc=4096:4096', '--no-healthcheck']
  const settings = Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`])
  const options = ['--rm', '--name', name, '--network', 'host', ...rights, ...profile, ...writable]
  const image = `localhost/clearway-${target}`
  const child = spawn('podman', podman('run', ...options, ...limits, ...settings, image))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (d: Buffer) => (output += d.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const container: Container = {
    name,
    output: () => output,
    stop: async () => (child.kill('SIGTERM'), await ended),
  }
  started.push(container)
  while (!output.includes('Clearway is ready')) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`The ${target} ended with ${child.exitCode ?? child.signalCode}:\n${output}`)
    await sleep(100)
  }
  return container
}

describe.skipIf(!isAsked)('the images', () => {
  let database: Awaited<ReturnType<typeof testDatabase>>
  let site: Site
  let server: Container
  let worker: Container
  let client: Client

  beforeAll(async () => {
    site = await startSite()
    database = await testDatabase()
    const shared = {
      DATABASE_URL: database.url,
      CLEARWAY_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      CLEARWAY_ALLOW_PRIVATE: 'all',
      CLEARWAY_HOST: '127.0.0.1',
    }
    const port = String(await freePort())
    server = await start('server', {
      ...shared,
      CLEARWAY_PORT: port,
      CLEARWAY_ADMIN_PASSWORD: adminPassword,
      CLEARWAY_TERMS_REQUIRED: 'false',
    })
    worker = await start('worker', { ...shared, CLEARWAY_PORT: String(await freePort()) })
    client = await signIn(`http://127.0.0.1:${port}`, 'admin', adminPassword)
  }, 240_000)
  afterAll(async () => {
    for (const { name } of started) spawnSync('podman', podman('rm', '--force', name))
    await site?.close()
    await database?.drop()
  })

  it('run as an ordinary user without rights, and cannot write to their own files', () => {
    const inside = (...command: string[]) =>
      spawnSync('podman', podman('exec', worker.name, ...command), { encoding: 'utf8' })
    expect(inside('id', '-u').stdout.trim()).toBe('10001')
    expect(inside('touch', '/app/file').stderr).toContain('Read-only file system')
    expect(inside('sh', '-c', 'grep CapEff /proc/self/status').stdout).toMatch(/\t0+\n$/)
  })

  it('scan the fixture site with the same results as without containers', { timeout: 300_000 }, async () => {
    const { id } = await client<{ id: string }>('POST', '/scans', fixtureScan('In containers', site.url))
    await client('POST', `/scans/${id}/startRun`)
    const run: Run = await runEnded(client, id, 280_000)
    expect(run).toMatchObject({ status: 'completed', problem: null })
    const { twice, found, expected } = await compareRun(client, id, run.number, site.url)
    expect(twice).toEqual([])
    expect(found).toEqual(expected)
  })

  it('end when they are asked to', { timeout: 60_000 }, async () => {
    expect(await worker.stop()).toBe(0)
    expect(await server.stop()).toBe(0)
  })
})
