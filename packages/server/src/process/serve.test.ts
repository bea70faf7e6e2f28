import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testDatabase } from '../../test/database.ts'

/** Says every module of the engine that is loaded, in any thread. */
const trace = `import { registerHooks } from 'node:module'
registerHooks({ load(url, context, next) {
  if (url.includes('/packages/engine/')) console.error('engine: ' + url)
  return next(url, context)
} })`

let database: Awaited<ReturnType<typeof testDatabase>>
let data: string
const children: ChildProcess[] = []
beforeAll(async () => {
  database = await testDatabase()
  data = mkdtempSync(join(tmpdir(), 'clearway-roles-'))
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await database.drop()
  rmSync(data, { recursive: true, force: true })
})

/** Starts a process with these roles; what it printed until it was ready, and how it ended. */
async function start(roles: string): Promise<{ output: string; code: number | null }> {
  const child = spawn(
    process.execPath,
    [
      '--import',
      `data:text/javascript,${encodeURIComponent(trace)}`,
      join(import.meta.dirname, '..', 'main.ts'),
    ],
    {
      env: {
        ...process.env,
        DATABASE_URL: database.url,
        CLEARWAY_DATA: join(data, roles.replaceAll(',', '-')),
        CLEARWAY_PORT: '0',
        CLEARWAY_ROLES: roles,
        CLEARWAY_WEB: 'false',
      },
    },
  )
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
  child.kill('SIGTERM')
  return { code: await ended, output }
}

it('loads nothing of the engine, unless it is a worker', { timeout: 60_000 }, async () => {
  const server = await start('api,account,idp,scheduler')
  expect(server.output).toContain('Clearway is ready at')
  expect(server.output).not.toContain('engine: ')
  expect(server.code).toBe(0)
  const worker = await start('worker')
  expect(worker.output).toMatch(/engine: .*\/packages\/engine\/src\/scan\.ts/)
})
