import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { documentationSets, fetchDocumentation } from '../engine/debian.ts'
import { measure } from '../engine/measure.ts'
import { compareRounds, computeMedian } from '../engine/median.ts'
import { serveFolder } from '../engine/serve-folder.ts'

/**
 * CPU of all processes of a first run over the same pages, open and behind a sign-in by form, in turns; with `--earlier`, an earlier tree
 * takes its turns, too, and signs in by a script. The sign-in itself is part of the run. Pages name the user, as applications do.
 *
 *   npm run -s signed-in:cost -- --pages 60 --rounds 7 --earlier ../../earlier
 */
const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '60' },
    rounds: { type: 'string', default: '7' },
    concurrency: { type: 'string', default: '2' },
    set: { type: 'string', default: 'postgresql-doc-15' },
    // Folder of an earlier tree, whose program of a run takes the same arguments.
    earlier: { type: 'string' },
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
/** The bar of an application with the name of the user. Open pages have it, too, so that all contenders analyze the same. */
const accountId = 'account'
const accountBar = `<header id="${accountId}"><p>Signed in as boss</p><a href="/sign-out">Sign out</a></header>`
async function passOn({ url }: IncomingMessage, response: ServerResponse): Promise<void> {
  const reply = await fetch(`${files.url}${url}`)
  const type = reply.headers.get('content-type') ?? ''
  const content = Buffer.from(await reply.arrayBuffer())
  response.writeHead(reply.status, { 'content-type': type })
  response.end(type.includes('html') ? content.toString('latin1').replace(/<body[^>]*>/i, `$&${accountBar}`) : content, 'latin1')
}

/** Serves the files, to all or only to those who signed in. */
async function serveGated(isOpen: boolean) {
  const server = createServer((request, response) => {
    if (request.url === '/sign-in') return request.method === 'POST' ? signIn(request, response) : showForm(response)
    if (isOpen || request.headers.cookie?.includes('session=s1')) return void passOn(request, response)
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

/** A session with the form of the product, which proves itself. */
const buildFormSession = (origin: string) => ({
  connection: null,
  script: null,
  form: { url: `${origin}/sign-in`, username: 'boss', password },
  mark: null,
})
/** A session by a script and a mark, as versions before the proof had them. */
function buildScriptSession(origin: string) {
  const actions = [
    `type "boss" into element "[name=user]"`,
    `type "${password}" into element "[name=password]"`,
    'click element "button"',
  ]
  const pageList = [{ name: 'Sign in', url: `${origin}/sign-in`, actions }]
  const text = JSON.stringify({ projects: [{ name: 'Sign in', id: 's', pageList }] })
  const mark = { means: 'signed-in', kind: 'selector', value: `#${accountId}` }
  return { connection: null, script: { name: 'Sign in', text, variables: [] }, form: null, mark }
}

type Contender = { origin: string; tree: string; session?: object }
const thisTree = join(import.meta.dirname, '../..')
const [openSite, gatedSite] = [await serveGated(true), await serveGated(false)]
const contenders: Record<string, Contender> = {
  open: { origin: openSite.url, tree: thisTree },
  'signed in': { origin: gatedSite.url, tree: thisTree, session: buildFormSession(gatedSite.url) },
  ...(values.earlier === undefined
    ? {}
    : {
        'earlier open': { origin: openSite.url, tree: values.earlier },
        'earlier signed in': { origin: gatedSite.url, tree: values.earlier, session: buildScriptSession(gatedSite.url) },
      }),
}
type Run = { cpu: number; pagesPerMinute: number }
const runs: Record<string, Run[]> = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]))

async function measureContender(name: string): Promise<void> {
  const { origin, tree, session } = contenders[name]!
  const [urlFile, knownFile, sessionFile] = ['urls', 'known', 'session'].map((file) => join(work, file)) as [
    string,
    string,
    string,
  ]
  rmSync(knownFile, { force: true })
  writeFileSync(urlFile, paths.map((path) => `${origin}${path}`).join('\n'))
  if (session) writeFileSync(sessionFile, JSON.stringify(session))
  const program = join(tree, 'bench/engine/reuse-run.ts')
  const options = [urlFile, knownFile, browser, values.concurrency, '5', ...(session ? [sessionFile] : [])]
  const { cpu, wall, output } = await measure(program, options)
  const { analyzed } = JSON.parse(output) as { analyzed: number }
  if (analyzed !== paths.length) throw new Error(`${name}: ${analyzed} of ${paths.length} pages were analyzed`)
  const run = { cpu: cpu / paths.length, pagesPerMinute: (60 * paths.length) / wall }
  runs[name]!.push(run)
  const figures = `${run.cpu.toFixed(3)} CPU s/page, ${run.pagesPerMinute.toFixed(1)} pages/min`
  console.log(`${name.padEnd(17)} ${figures}, load ${loadavg()[0]!.toFixed(1)}`)
}
const names = Object.keys(contenders)
for (let round = 0; round < Number(values.rounds); round += 1)
  for (const name of round % 2 === 0 ? names : names.toReversed()) await measureContender(name)
for (const { close } of [files, openSite, gatedSite]) close()

function compareRuns(name: string, baseline: string) {
  const [cpu, baselineCpu] = [name, baseline].map((key) => runs[key]!.map((run) => run.cpu)) as [number[], number[]]
  const [pace, baselinePace] = [name, baseline].map((key) => computeMedian(runs[key]!.map((run) => run.pagesPerMinute)))
  return {
    'CPU s/page': computeMedian(cpu).toFixed(3),
    baseline: computeMedian(baselineCpu).toFixed(3),
    ...compareRounds(cpu, baselineCpu),
    'pages/min': pace!.toFixed(1),
    'ratio of pages/min': (pace! / baselinePace!).toFixed(3),
  }
}
console.log(`${paths.length} pages of ${values.set}, ${values.concurrency} at once, ${values.rounds} rounds in turn`)
console.table({
  'signed in / open': compareRuns('signed in', 'open'),
  ...(values.earlier === undefined
    ? {}
    : {
        'open / earlier open': compareRuns('open', 'earlier open'),
        'signed in / earlier signed in': compareRuns('signed in', 'earlier signed in'),
      }),
})
