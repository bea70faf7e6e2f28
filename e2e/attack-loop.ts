import assert from 'node:assert/strict'
import { createServer, request } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { assemble, writePdf } from '../fixtures/pdf/write.ts'
import { answer, hostileAnswers } from '../packages/engine/test/hostile-answers.ts'
import { hostilePages, hostileRoutes } from '../packages/engine/test/hostile-pages.ts'
import { callerOf, type Client, signIn, tokenFor } from './client.ts'
import { parentIn, processesWhere } from './processes.ts'
import { adminPassword, freePort, startProduct } from './product.ts'
import { runEnded } from './results.ts'

/**
 * All that is known to have stopped the product, again and again, on the running product: hostile pages, answers and PDFs in a
 * scan, what people may send to the API, and exports that nobody reads. Beside it a person works; what that person waits is printed. Each run must end
 * as completed with a reason for each page, and no process may be lost.
 *
 *   node scripts/node24.mjs e2e/attack-loop.ts [times]
 */
const times = Number(process.argv[2] ?? 1)
const data = mkdtempSync(join(tmpdir(), 'clearway-attack-'))

const pdfs: Record<string, Buffer> = {
  '/nested.pdf': Buffer.from(`%PDF-1.7\n1 0 obj\n${'['.repeat(3_000_000)}\nendobj\n`),
  '/objects.pdf': Buffer.from(`%PDF-1.7\n${'1 0 obj\n'.repeat(500_000)}`),
  '/circle.pdf': Buffer.from(
    assemble(
      { 1: '<</Type /Catalog /Pages 2 0 R>>', 2: '<</Type /Pages /Kids [2 0 R 2 0 R]>>' },
      '/Root 1 0 R',
    ),
  ),
}
/** Files with pictures, checked one beside the other. */
for (let n = 0; n < 60; n++) {
  const texts = Array.from({ length: 1 + n }, (_, i) => ({ type: 'P', kids: [`Text ${n} ${i}`] }))
  const kids = [{ type: 'H3', kids: ['Heading'] }, ...texts, { type: 'Figure', kids: ['x'] }]
  pdfs[`/file-${n}.pdf`] = Buffer.from(writePdf({ tags: [{ type: 'Document', kids }] }))
}
const longPath = `/${'a-'.repeat(1900)}`
const links = Array.from({ length: 5000 }, (_, i) => `<a href="${longPath}${i}">x</a>`).join('')

const site = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://site')
  const pdf = pdfs[pathname]
  if (pdf) return void response.writeHead(200, { 'content-type': 'application/pdf' }).end(pdf)
  if (pathname === longPath)
    return void response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><title>Links</title><main>${links}</main>`)
  const route = hostileRoutes[pathname]
  if (typeof route === 'function') return route(request, response)
  response.writeHead(route === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
  response.end(route ?? '')
}).listen(0, '127.0.0.1')
const raw = net
  .createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', (chunk) => {
      const path = /^\w+ (\S+)/.exec(chunk.toString('latin1'))?.[1] ?? ''
      const sent = hostileAnswers[path]?.sent ?? answer('HTTP/1.1 404 No', '', '')
      socket.end(Buffer.from(sent, 'latin1'))
    })
  })
  .listen(0, '127.0.0.1')
await pause(100)
const originOf = (server: { address(): unknown }) =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const product = await startProduct({
  data,
  port: await freePort(),
  // One sign-in for all rounds.
  env: { CLEARWAY_TOKEN_SECONDS: '86400' },
})
const token = await tokenFor(product.url, 'admin', adminPassword)
const client = callerOf(`${product.url}/monitor-api`, token)
const person = await signIn(product.url, 'admin', adminPassword)

const urlsOf = (server: { address(): unknown }, paths: readonly string[]) =>
  paths.map((path) => originOf(server) + path)
const hostile = [...urlsOf(site, [...Object.keys(hostilePages), ...Object.keys(pdfs), longPath])]
const odd = urlsOf(raw, Object.keys(hostileAnswers))
const settings = (name: string, urls: readonly string[]) => ({
  name,
  urls,
  type: 'custom',
  depth: 0,
  pageLimit: 1000,
  advanced: { pageTimeoutMs: 7000, savePictures: false, mimeTypes: ['text/html', 'application/pdf'] },
})
const { id } = await client<{ id: string }>('POST', '/scans', settings('Attacked', [...hostile, ...odd]))

/** What the person waited, by call, in milliseconds. */
const waited = new Map<string, number[]>()
async function work(caller: Client, signal: AbortSignal): Promise<void> {
  const calls = ['/scans', '/users/permissions', `/scans/${id}/runs`, '/issues?size=20', `/scans/${id}`]
  for (let turn = 0; !signal.aborted; turn++) {
    const call = calls[turn % calls.length]!
    const began = performance.now()
    await caller('GET', call)
    const name = call.replace(id, '{id}')
    waited.set(name, [...(waited.get(name) ?? []), performance.now() - began])
    await pause(50)
  }
}

/** What somebody sends; being refused is fine. */
const send = async (what: string, method: string, path: string, body: unknown): Promise<void> => {
  const began = performance.now()
  const became = await client(method, path, body).then(
    () => 'taken',
    (error: unknown) => String(error).slice(0, 120),
  )
  console.log(`  ${what}: ${Math.round(performance.now() - began)} ms, ${became}`)
}
const slowRule = { kind: 'regex', pattern: `${'(\\w?){1000}'.repeat(3)}\\d$` }
async function attackApi(): Promise<void> {
  await send('a script of newlines', 'POST', '/scripts/validate', {
    script: '\n'.repeat(1_000_000),
    allowedScriptType: 'TASK',
  })
  await send('rules that are slow', 'POST', '/scans/scope-test', {
    settings: {
      ...settings('x', hostile.slice(0, 1)),
      includeRules: Array.from({ length: 20 }, () => slowRule),
    },
    address: `${originOf(site)}/${'a'.repeat(3900)}`,
  })
  await send('a CSV file of commas', 'POST', '/team-access/import', {
    filename: 'x.csv',
    content: `team,scan,scan group,role\n${','.repeat(900_000)}`,
    check: true,
  })
}

/** Ten exports that nobody reads. @returns ends them */
function leaveExports(): () => void {
  const headers = {
    authorization: `Bearer ${token}`,
    'x-realm': 'clearway',
    'content-type': 'application/json',
  }
  const open = Array.from({ length: 10 }, () => {
    const asked = request(`${product.url}/monitor-api/bulk/issues/export/json`, { method: 'POST', headers })
    asked.on('error', () => undefined)
    asked.on('response', (reply) => reply.pause())
    asked.end(JSON.stringify({ filters: { scanId: [id] }, selected: { selectAllMode: true } }))
    return asked
  })
  return () => {
    for (const asked of open) asked.destroy()
  }
}

/** That browsers and PDF processes stand back behind the server: how many of the worker's processes there were. */
function checkPriorities(): number {
  const child = (kind: string) =>
    processesWhere(
      (of) =>
        of('cmdline').includes(`process/child.js ${kind}`) && of('environ').includes(`CLEARWAY_DATA=${data}`),
    )
  const [server] = child('server')
  const [worker] = child('worker')
  const own = processesWhere((of) => parentIn(of('status')) === worker)
  for (const pid of own) assert.ok(getPriority(pid) > getPriority(server), `process ${pid} stands back`)
  return own.length
}

/** Results whose targets are spaces, for the run that has ended. */
async function attackRun(run: number): Promise<void> {
  const node = { html: '<a>', target: [' '.repeat(20_000)], any: [], all: [], none: [], impact: 'minor' }
  const violation = {
    id: 'image-alt',
    impact: 'minor',
    tags: ['wcag2a'],
    help: 'x',
    helpUrl: 'http://a.test/',
    description: 'x',
    nodes: Array.from({ length: 100 }, () => node),
  }
  const results = {
    url: hostile[0],
    testEngine: { name: 'axe-core', version: '4.14.1' },
    violations: [violation],
    passes: [],
    incomplete: [],
    inapplicable: [],
  }
  const form = new FormData()
  form.set('file', new File([JSON.stringify(results)], 'x.json', { type: 'application/json' }))
  await send('results whose targets are spaces', 'POST', `/scans/${id}/runs/${run}/axeIssues`, form)
}

try {
  const quiet = new AbortController()
  let refused: unknown = null
  const working = work(person, quiet.signal).catch((error: unknown) => (refused = error))
  const expected = hostile.length + odd.length
  for (let round = 1; round <= times; round++) {
    const began = Date.now()
    await client('POST', `/scans/${id}/startRun`)
    const endExports = leaveExports()
    await attackApi()
    console.log(`  ${checkPriorities()} processes of the worker stand back behind the server`)
    const run = await runEnded(client, id, 1_200_000)
    type Counts = {
      content: {
        number: number
        pages: Record<'completed' | 'failed' | 'excluded' | 'otherDomainIgnored', number>
      }[]
    }
    const { pages } = (await client<Counts>('GET', `/scans/${id}/runs`)).content[0]!
    const counted = pages.completed + pages.failed + pages.excluded + pages.otherDomainIgnored
    console.log(
      `round ${round}: ${run.status} after ${Math.round((Date.now() - began) / 1000)} s, ` +
        `${pages.completed} completed, ${pages.failed} failed, ${pages.excluded} excluded`,
    )
    assert.equal(run.status, 'completed')
    endExports()
    await attackRun(run.number)
    assert.ok(counted >= expected, `${expected} pages were to be counted, ${counted} were`)
  }
  quiet.abort()
  await working
  assert.equal(refused, null)
  const at = (sorted: readonly number[], share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  const row = (name: string, times: readonly number[]) => {
    const sorted = times.toSorted((a, b) => a - b)
    const [half, most, all] = [at(sorted, 0.5), at(sorted, 0.99), at(sorted, 1)].map((ms) => ms.toFixed(0))
    return { call: name, calls: times.length, 'p50 ms': half, 'p99 ms': most, 'longest ms': all }
  }
  console.table([
    ...[...waited].map(([name, all]) => row(name, all)),
    row('all', [...waited.values()].flat()),
  ])
  const lost = product
    .output()
    .split('\n')
    .filter((line) => line.includes('ended after'))
  assert.deepEqual(lost, [], 'no process was to end')
} finally {
  // Whatever went wrong, nothing is left behind.
  await product.stop()
  site.closeAllConnections()
  site.close()
  raw.close()
  rmSync(data, { recursive: true, force: true })
}
