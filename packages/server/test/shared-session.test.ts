/** @module-tag slow */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MessageToChild } from '../src/process/supervisor.ts'
import { buildScanBody, useTestApi } from './api.ts'

// Two worker processes on one run: one of them signs in, both use its session.

const api = useTestApi({ environment: { CLEARWAY_ALLOW_PRIVATE: 'all' } })

const pageCount = 24
const form =
  '<form method="post"><label>Name <input name="u"></label><label>Secret <input type="password" name="p"></label><button>Go</button></form>'
const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`

type Club = { origin: string; server: Server; signIns: number; lost: number; pagesPerSession: number; formDelayMs: number }

/** Starts a site for members that counts sign-ins. */
async function serveClub(): Promise<Club> {
  const sessions = new Map<string, number>()
  const links = Array.from({ length: pageCount }, (_, index) => `<a href="/room/${index}">${index}</a>`).join(' ')
  const club: Club = { origin: '', server: createServer(), signIns: 0, lost: 0, pagesPerSession: 1000, formDelayMs: 0 }
  club.server.on('request', (request, response) => {
    const sessionId = /sid=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
    const pagesLeft = sessions.get(sessionId) ?? 0
    response.setHeader('content-type', 'text/html')
    if (/robots|favicon/.test(request.url!)) return response.writeHead(404).end()
    if (request.url === '/enter' && request.method === 'POST') {
      club.signIns += 1
      sessions.set(`s${club.signIns}`, club.pagesPerSession)
      return response.writeHead(302, { location: '/', 'set-cookie': `sid=s${club.signIns}; path=/` }).end()
    }
    if (request.url === '/enter') return void setTimeout(() => response.end(page('Enter', form)), club.formDelayMs)
    if (pagesLeft <= 0) {
      club.lost += 1
      return response.writeHead(302, { location: '/enter' }).end()
    }
    sessions.set(sessionId, pagesLeft - 1)
    // Slow enough for both workers.
    return void setTimeout(() => response.end(page(`Room ${request.url}`, request.url === '/' ? links : '<p>Text</p>')), 300)
  })
  club.server.listen(0, '127.0.0.1')
  await once(club.server, 'listening')
  club.origin = `http://127.0.0.1:${(club.server.address() as AddressInfo).port}`
  return club
}

let club: Club
let workers: { child: ChildProcess; output: () => string }[] = []

function startWorkerProcess() {
  const child = fork(new URL('../src/process/child.ts', import.meta.url), ['worker'], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: [],
    env: {
      ...process.env,
      CLEARWAY_DATA: api.config.CLEARWAY_DATA,
      CLEARWAY_ALLOW_PRIVATE: 'all',
      CLEARWAY_METRICS_PORT: '0',
      CLEARWAY_WORKER_PAGES: '2',
    },
  })
  let output = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.send({
    kind: 'start',
    databaseUrl: api.config.DATABASE_URL!,
    roles: ['worker'],
    began: performance.timeOrigin,
  } satisfies MessageToChild)
  return { child, output: () => output }
}

beforeEach(async () => {
  club = await serveClub()
  workers = [startWorkerProcess(), startWorkerProcess()]
})
afterEach(async () => {
  for (const { child } of workers) {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  club.server.closeAllConnections()
  club.server.close()
})

async function waitUntil(test: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const startedAt = performance.now(); !(await test()); await sleep(100))
    if (performance.now() - startedAt > 150_000)
      throw new Error(`${what} did not happen\n${workers.map(({ output }) => output()).join('\n----\n')}`)
}
const hasJoined = ({ output }: (typeof workers)[number]) => output().includes('browser found')

async function startRun(name: string): Promise<string> {
  const connection = { authType: 'form', url: `${club.origin}/enter`, username: 'u', password: 'p' }
  const body = buildScanBody(name, { urls: [`${club.origin}/`], session: { connection }, advanced: { pagesAtOnce: 4 } })
  const created = await api.call('POST', '/scans', { body })
  expect(created.status, JSON.stringify(created.body)).toBe(201)
  const { id } = created.body as { id: string }
  await api.call('POST', `/scans/${id}/startRun`)
  return id
}
const readRun = async (scanId: string) =>
  (await api.call('GET', `/scans/${scanId}/runs/1/overview`)).body as { status: string; pages: object }

test('workers of a run share one sign-in, and forget it when the run ends', { timeout: 200_000 }, async () => {
  await waitUntil(() => workers.every(hasJoined), 'Both workers joining')
  const scanId = await startRun('Shared')
  await waitUntil(async () => (await readRun(scanId)).status === 'completed', 'The end of the run')
  expect(await readRun(scanId)).toMatchObject({ pages: { completed: pageCount + 1, proved: pageCount + 1, unproved: 0 } })
  expect(workers.map(({ output }) => output().includes('run started'))).toEqual([true, true])
  expect(club.signIns).toBe(1)
  expect(await api.db.selectFrom('run_session').selectAll().execute()).toEqual([])
})

test('another worker signs in when the one that does it dies', { timeout: 200_000 }, async () => {
  club.formDelayMs = 6000
  await waitUntil(() => workers.every(hasJoined), 'Both workers joining')
  const scanId = await startRun('Taken over')
  await waitUntil(async () => {
    const rows = await api.db.selectFrom('run_session').select('token').execute()
    return rows.some(({ token }) => token !== null)
  }, 'A sign-in')
  // The first one that started the run holds the lease.
  const holder = workers.find(({ output }) => output().includes('run started'))!
  const other = workers.find((worker) => worker !== holder)!
  await waitUntil(() => other.output().includes('run started'), 'The other worker')
  holder.child.kill('SIGKILL')
  club.formDelayMs = 0
  await waitUntil(async () => (await readRun(scanId)).status === 'completed', 'The end of the run')
  expect(await readRun(scanId)).toMatchObject({ pages: { completed: pageCount + 1, proved: pageCount + 1 } })
  expect(club.signIns).toBe(1)
})
