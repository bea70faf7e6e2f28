/** @module-tag slow */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findFreePort, type Product, startProduct, adminPassword } from './product/start.ts'
import { type Client, signIn } from './product/client.ts'
import { waitForRunEnd } from './product/results.ts'

// The gate compares a preview on another host with the triaged issues of a scan on a real server.

const programPath = join(import.meta.dirname, '../packages/cli/bin/clearway.mjs')
const dataFolder = mkdtempSync(join(tmpdir(), 'clearway-gate-'))
const text = `<p>${'Enough to read here. '.repeat(90)}</p>`
const buildPage = (body: string) =>
  `<!doctype html><html lang="en"><head><title>Shop</title></head><body><main><h1>Shop</h1>${text}${body}</main></body></html>`
const sitePages: Record<string, string> = {
  '/': buildPage('<img src="/a.png"><img src="/b.png"><label>Amount</label><input name="q"><a href="/list">List of goods</a>'),
  '/list': buildPage('<button class="buy"></button>'),
}

const servers: Server[] = []
async function servePages(pages: Record<string, string>): Promise<string> {
  const server = createServer((request, response) => {
    const page = pages[request.url!]
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(page ?? 'Not found')
  }).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

let product: Product
let client: Client
let siteUrl: string
let scanId: string
let apiKey: string
beforeAll(async () => {
  product = await startProduct({ data: dataFolder, port: await findFreePort() })
  client = await signIn(product.url, 'admin', adminPassword)
  siteUrl = await servePages(sitePages)
  scanId = (await client<{ id: string }>('POST', '/scans', { name: 'Shop', urls: [`${siteUrl}/`] })).id
  await client('POST', `/scans/${scanId}/startRun`)
  await waitForRunEnd(client, scanId, 120_000)
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
  apiKey = (await client<{ key: string }>('POST', '/api-keys', { name: 'CI', scopes: ['read', 'run'], expiresAt })).key
}, 300_000)
afterAll(async () => {
  await product?.stop()
  for (const server of servers) server.close()
  rmSync(dataFolder, { recursive: true, force: true })
})

type Gate = { newIssues: { rule: string }[]; totals: { new: number; known: number; fixed: number; notChecked: number } }
async function runGate(url: string, options: { key?: string; args?: string[] } = {}) {
  const { key = apiKey, args = ['--server', product.url, '--scan', 'Shop'] } = options
  const gateArgs = ['gate', url, '--allow-private', '--no-sandbox', '--format', 'json', ...args]
  const child = spawn(process.execPath, [programPath, ...gateArgs], { env: { ...process.env, CLEARWAY_API_KEY: key } })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number]
  return { code, err, report: out === '' ? null : (JSON.parse(out) as Gate) }
}

it('finds nothing new on a preview of the same site, also of an ignored issue', async () => {
  const { content } = await client<{ content: { id: string; rule: string }[] }>('GET', `/issues?scanId=${scanId}`)
  const ignored = content.find(({ rule }) => rule === 'button-name')!
  await client('PATCH', `/issues/${ignored.id}`, { fieldsToUpdate: { status: 'ignored', ignore: { reason: 'Icon' } } })
  const { code, err, report } = await runGate(`${await servePages(sitePages)}/`)
  expect({ code, err, totals: report?.totals }).toMatchObject({
    code: 0,
    err: '',
    totals: { new: 0, known: content.length, fixed: 0, notChecked: 0 },
  })
})

it('finds exactly a planted issue, also if another one was fixed, and drives only what the run drove', async () => {
  const planted = '<button class="menu"></button><a href="/" style="outline: none">Start</a>'
  const changed = { ...sitePages, '/': sitePages['/']!.replace('<img src="/a.png">', planted) }
  const args = ['--server', product.url, '--scan', 'Shop', '--driven', 'every']
  const { code, report } = await runGate(`${await servePages(changed)}/`, { args })
  expect([code, report!.newIssues.map(({ rule }) => rule), report!.totals.fixed]).toEqual([1, ['button-name'], 1])
})

it('stores a result of a branch, which is no run of the scan', async () => {
  const scanBefore = await client<object>('GET', `/scans/${scanId}`)
  const changed = { ...sitePages, '/': sitePages['/']!.replace('<p>', '<button class="menu"></button><p>') }
  const args = ['--server', product.url, '--scan', 'Shop', '--upload', '--branch', 'feature/menu']
  const { code, err } = await runGate(`${await servePages(changed)}/`, { args })
  type BranchRuns = { content: { id: string; branch: string; result: string; totals: { new: number } }[] }
  const { content } = await client<BranchRuns>('GET', `/scans/${scanId}/branchRuns`)
  expect(content).toMatchObject([{ branch: 'feature/menu', result: 'failed', totals: { new: 1 } }])
  expect([code, err]).toEqual([1, expect.stringContaining(`/monitor/scans/${scanId}/branches/${content[0]!.id}\n`) as string])
  expect(await client<object>('GET', `/scans/${scanId}`)).toEqual(scanBefore)
})

it('says in one sentence that a key may not upload', async () => {
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
  const { id, key } = await client<{ id: string; key: string }>('POST', '/api-keys', {
    name: 'Read',
    scopes: ['read'],
    expiresAt,
  })
  const args = ['--server', product.url, '--scan', 'Shop', '--upload', '--branch', 'main']
  const { code, err } = await runGate(`${await servePages(sitePages)}/`, { args, key })
  expect([code, err]).toEqual([4, expect.stringContaining('The result was not uploaded. ') as string])
  expect(err.trim().split('\n')).toHaveLength(1)
  await client('DELETE', `/api-keys/${id}`)
  const revoked = await runGate('https://a.example', { args, key })
  expect([revoked.code, revoked.err]).toEqual([4, expect.stringContaining('refuses the API key in CLEARWAY_API_KEY') as string])
})

it('maps the host of a second site', async () => {
  const otherUrl = await servePages(sitePages)
  const startUrls = [`${siteUrl}/`, '--depth', '0']
  const args = ['--server', product.url, '--scan', scanId, '--map', `${otherUrl}=${siteUrl}`]
  const mapped = await runGate(`${otherUrl}/list`, { args: [...args, ...startUrls] })
  expect([mapped.code, mapped.report!.totals]).toMatchObject([0, { new: 0, notChecked: 0 }])
  const unmapped = await runGate(`${siteUrl}/`, { args: [...args.slice(0, 4), `${otherUrl}/list`, '--depth', '0'] })
  expect([unmapped.code, unmapped.report!.newIssues.map(({ rule }) => rule)]).toEqual([1, ['button-name']])
})

it.each([
  ['a wrong key', { key: `cw_${'x'.repeat(43)}` }, 4, 'refuses the API key in CLEARWAY_API_KEY'],
  ['no key', { key: '' }, 2, 'needs an API key in the variable CLEARWAY_API_KEY'],
])('ends in one sentence with %s', async (_, options, code, message) => {
  const result = await runGate('https://a.example', options)
  expect([result.code, result.err]).toEqual([code, expect.stringContaining(message) as string])
  expect(result.err).not.toMatch(/\n\s+at |cw_x/)
})

it.each([
  ['a server that is away', () => ['--server', 'http://127.0.0.1:9', '--scan', 'Shop'], 4, 'cannot be used'],
  ['a server of something else', () => ['--server', siteUrl, '--scan', 'Shop'], 4, 'cannot be used'],
  ['an unknown scan', () => ['--server', product.url, '--scan', 'Shops'], 4, 'sees no scan with the name "Shops"'],
  ['no scan', () => ['--server', product.url], 2, 'needs --scan NAME'],
  ['a wrong map', () => ['--server', product.url, '--scan', 'Shop', '--map', 'x'], 2, '--map takes two URLs'],
])('ends in one sentence with %s', async (_, buildArgs, code, message) => {
  const result = await runGate('https://a.example', { args: buildArgs() })
  expect([result.code, result.err]).toEqual([code, expect.stringContaining(message) as string])
  expect(result.err).not.toMatch(/\n\s+at /)
})
