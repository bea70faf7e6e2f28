import { spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { escapeHtml } from '../kit/html.ts'
import { languageFor, pdfHelpPage } from '../monitor/ruleset/pdf/model.ts'

const webFolder = fileURLToPath(new URL('../../../web', import.meta.url))
const dist = join(webFolder, 'dist')
/** What the built application is made of. */
const sources = ['src', 'public', 'index.html', 'vite.config.ts', 'lingui.config.ts', '../contract/src']

async function newest(path: string): Promise<number> {
  const found = await stat(path).catch(() => null)
  if (!found) return 0
  if (!found.isDirectory()) return found.mtimeMs
  const inside = await readdir(path)
  const times = await Promise.all(inside.map((name) => newest(join(path, name))))
  return Math.max(0, ...times)
}

/** Whether the built application is missing or older than its sources. A copy without sources is never stale. */
async function isStale(): Promise<boolean> {
  const built = (await stat(join(dist, 'index.html')).catch(() => null))?.mtimeMs ?? 0
  if (!existsSync(join(webFolder, 'build.ts'))) return built === 0
  const times = await Promise.all(sources.map((source) => newest(join(webFolder, source))))
  return Math.max(...times) > built
}

export type WebBuild = { kind: 'ready' } | { kind: 'building' } | { kind: 'failed'; message: string }

/** Builds the web application when it must be, beside everything else that starts. `state` says how far it is. */
export function prepareWeb(): { state: () => WebBuild; done: Promise<void>; stop: () => void } {
  let state: WebBuild = { kind: 'building' }
  let stop = () => {}
  const run = async () => {
    if (!(await isStale())) return void (state = { kind: 'ready' })
    const child = spawn(process.execPath, [join(webFolder, 'build.ts')], {
      cwd: webFolder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NODE_ENV: 'production' },
    })
    stop = () => void child.kill()
    let output = ''
    const keep = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4000))
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    const code = await new Promise<number>((done) => {
      child.on('error', () => done(-1))
      child.on('exit', (exit) => done(exit ?? -1))
    })
    const built = code === 0 && existsSync(join(dist, 'index.html'))
    state = built
      ? { kind: 'ready' }
      : { kind: 'failed', message: output.trim() || `the build ended with ${code}` }
  }
  return { state: () => state, done: run(), stop: () => stop() }
}

function waiting(reply: FastifyReply, state: Exclude<WebBuild, { kind: 'ready' }>): FastifyReply {
  const building = state.kind === 'building'
  const title = building ? 'The web application is being built' : 'The web application could not be built'
  const more = building
    ? '<p>This page loads again by itself in a few seconds.</p>'
    : `<p>The API works. Fix what the build says, then start again.</p><pre>${escapeHtml(state.message)}</pre>`
  const refresh = building ? '<meta http-equiv="refresh" content="3">' : ''
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8">${refresh}
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title></head>
<body><main><h1>${title}</h1>${more}</main></body></html>`
  return reply
    .code(503)
    .headers({ 'cache-control': 'no-store', 'retry-after': '3' })
    .type('text/html')
    .send(html)
}

/** Pages of help that the server writes itself. */
export function helpRoutes(app: FastifyInstance): void {
  app.get('/monitor/docs/pdf-rules', (request, reply) => {
    const { html, policy } = pdfHelpPage(languageFor(request.headers['accept-language']))
    return reply
      .headers({ 'content-security-policy': policy, vary: 'accept-language' })
      .type('text/html; charset=utf-8')
      .send(html)
  })
}

const loopback = new Set(['127.0.0.1', 'localhost', '[::1]'])

/**
 * Serves the web application below /monitor. Files with a hash in their name may be kept for ever, the rest is asked
 * for again; a URL that is no file is a screen of the application.
 */
export async function webRoutes(
  app: FastifyInstance,
  options: { state: () => WebBuild; publicUrl: string },
): Promise<void> {
  // Not built yet at the first start; the file server wants its folder all the same.
  mkdirSync(dist, { recursive: true })
  await app.register(fastifyStatic, { root: dist, serve: false, cacheControl: false })
  app.get('/', (_request, reply) => reply.redirect('/monitor'))
  const home = new URL(options.publicUrl)
  const show = async (
    path: string,
    host: string,
    url: string,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    // Sign-in belongs to one origin; the other names of this machine lead there.
    const asked = URL.parse(`http://${host}`)
    if (asked && asked.host !== home.host && loopback.has(asked.hostname) && loopback.has(home.hostname))
      return reply.redirect(options.publicUrl + url, 307)
    const state = options.state()
    if (state.kind !== 'ready') return waiting(reply, state)
    const isFile = path !== '' && (await stat(join(dist, path)).catch(() => null))?.isFile()
    if (isFile) {
      const forEver = path.startsWith('assets/')
      void reply.header('cache-control', forEver ? 'public, max-age=31536000, immutable' : 'no-cache')
      return reply.sendFile(path)
    }
    if (path.startsWith('assets/')) return reply.code(404).type('text/plain').send('No such file')
    return reply.header('cache-control', 'no-cache').sendFile('index.html')
  }
  app.get('/monitor', (request, reply) => show('', request.host, request.url, reply))
  app.get<{ Params: { '*': string } }>('/monitor/*', (request, reply) => {
    const path = request.params['*']
    return show(path.split('/').includes('..') ? '' : path, request.host, request.url, reply)
  })
}
