import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { documentationSets, fetchDocumentation } from '../engine/debian.ts'
import { measure } from '../engine/measure.ts'
import { serveFolder } from '../engine/serve-folder.ts'

/**
 * CPU of all processes of a first run over the same pages, open and behind a sign-in by form, in turns. The sign-in itself is part
 * of the run.
 *
 *   npm run -s signed-in:cost -- --pages 60 --rounds 7
 */
const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '60' },
    rounds: { type: 'string', default: '7' },
    concurrency: { type: 'string', default: '2' },
    set: { type: 'string', default: 'postgresql-doc-15' },
  },
})
const password = 'Bench-S3cret!7'
const form = `<!doctype html><html lang="en"><head><title>Sign in</title></head><body><main><h1>Sign in</h1>
  <form method="post" action="/sign-in"><label>User <input name="user" autocomplete="username"></label>
  <label>Password <input type="password" name="password" autocomplete="current-password"></label><button>Sign in</button></form></main></body></html>`

const documentation = documentationSets.find(([name]) => name === values.set)
if (!documentation) throw new Error(`--set is one of ${documentationSets.map(([name]) => name).join(', ')}`)
const files = await serveFolder(fetchDocumentation(...documentation))

const showForm = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/html' }).end(form)
function signIn(request: IncomingMessage, response: ServerResponse): void {
  let body = ''
  request.on('data', (chunk: Buffer) => (body += chunk.toString()))
  request.on('end', () => {
    if (new URLSearchParams(body).get('password') !== password) return showForm(response)
    return response.writeHead(302, { location: startPath, 'set-cookie': 'session=s1; path=/' }).end()
  })
}
const passOn = (request: IncomingMessage, response: ServerResponse) =>
  requestHttp(`${files.url}${request.url}`, (reply) => {
    response.writeHead(reply.statusCode ?? 500, reply.headers)
    reply.pipe(response)
  }).end()

/** Serves the files, to all or only to those who signed in. */
async function serveGated(isOpen: boolean) {
  const server = createServer((request, response) => {
    if (request.url === '/sign-in') return request.method === 'POST' ? signIn(request, response) : showForm(response)
    if (isOpen || request.headers.cookie?.includes('session=s1')) return passOn(request, response)
    return response.writeHead(302, { location: '/sign-in' }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

const step = Math.max(1, Math.floor(files.pages.length / Number(values.pages)))
const paths = files.pages
  .filter((_, index) => index % step === 0)
  .slice(0, Number(values.pages))
  .map((page) => new URL(page).pathname)
const startPath = paths[0]!
const work = mkdtempSync(join(tmpdir(), 'clearway-bench-'))
const browser = process.env.CLEARWAY_BROWSER ?? '/usr/bin/chromium'
const sites = { open: await serveGated(true), 'signed in': await serveGated(false) }
type SiteName = keyof typeof sites
const measurements: Record<SiteName, number[]> = { open: [], 'signed in': [] }

async function measureSite(name: SiteName): Promise<void> {
  const { url } = sites[name]
  const urlFile = join(work, 'urls')
  const knownFile = join(work, 'known')
  rmSync(knownFile, { force: true })
  writeFileSync(urlFile, paths.map((path) => `${url}${path}`).join('\n'))
  const session = name === 'open' ? [] : [`${url}/sign-in`, 'boss', password]
  const program = join(import.meta.dirname, '../engine/reuse-run.ts')
  const { cpu, output } = await measure(program, [urlFile, knownFile, browser, values.concurrency, '5', ...session])
  const { analyzed } = JSON.parse(output) as { analyzed: number }
  if (analyzed !== paths.length) throw new Error(`${name}: ${analyzed} of ${paths.length} pages were analyzed`)
  measurements[name].push(cpu / paths.length)
  console.log(`${name.padEnd(10)} ${(cpu / paths.length).toFixed(3)} CPU s/page, load ${loadavg()[0]!.toFixed(1)}`)
}
for (let round = 0; round < Number(values.rounds); round += 1)
  for (const name of round % 2 === 0 ? (['open', 'signed in'] as const) : (['signed in', 'open'] as const))
    await measureSite(name)
for (const { close } of [files, ...Object.values(sites)]) close()

const computeMedian = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!
const { open, 'signed in': signedIn } = measurements
const ratios = signedIn.map((cpu, round) => cpu / open[round]!)
console.log(`${paths.length} pages of ${values.set}, ${values.concurrency} at once, ${values.rounds} rounds in turn`)
console.table({
  'first run': {
    open: computeMedian(open).toFixed(3),
    'signed in': computeMedian(signedIn).toFixed(3),
    'ratio of medians': (computeMedian(signedIn) / computeMedian(open)).toFixed(3),
    'median of ratios': computeMedian(ratios).toFixed(3),
    'ratio of minima': (Math.min(...signedIn) / Math.min(...open)).toFixed(3),
  },
})
