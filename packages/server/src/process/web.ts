import { spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { escapeHtml } from '../kit/html.ts'
import { renderDriveHelpPage } from '../monitor/ruleset/drive/model.ts'
import { selectLanguage } from '../monitor/ruleset/help/model.ts'
import { renderPdfHelpPage } from '../monitor/ruleset/pdf/model.ts'

const webFolder = fileURLToPath(new URL('../../../web', import.meta.url))
const distFolder = join(webFolder, 'dist')
const sourcePaths = ['src', 'public', 'index.html', 'vite.config.ts', 'lingui.config.ts', '../contract/src']

async function findNewestTime(path: string): Promise<number> {
  const pathStats = await stat(path).catch(() => null)
  if (!pathStats) return 0
  if (!pathStats.isDirectory()) return pathStats.mtimeMs
  const entryNames = await readdir(path)
  const modifiedTimes = await Promise.all(entryNames.map((name) => findNewestTime(join(path, name))))
  return Math.max(0, ...modifiedTimes)
}

/** Checks whether the built application is missing or older than its sources. Without sources it is never stale. */
async function isBuildStale(): Promise<boolean> {
  const builtAt = (await stat(join(distFolder, 'index.html')).catch(() => null))?.mtimeMs ?? 0
  if (!existsSync(join(webFolder, 'build.ts'))) return builtAt === 0
  const sourceTimes = await Promise.all(sourcePaths.map((source) => findNewestTime(join(webFolder, source))))
  return Math.max(...sourceTimes) > builtAt
}

export type WebBuild = { kind: 'ready' } | { kind: 'building' } | { kind: 'failed'; message: string }

/** Builds the web application if necessary, in parallel with the start. `state` returns the progress. */
export function startWebBuild(): { state: () => WebBuild; done: Promise<void>; stop: () => void } {
  let buildState: WebBuild = { kind: 'building' }
  let stopBuild = () => {}
  const runBuild = async () => {
    if (!(await isBuildStale())) return void (buildState = { kind: 'ready' })
    const buildProcess = spawn(process.execPath, [join(webFolder, 'build.ts')], {
      cwd: webFolder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NODE_ENV: 'production' },
    })
    stopBuild = () => void buildProcess.kill()
    let buildOutput = ''
    const appendOutput = (chunk: Buffer) => (buildOutput = (buildOutput + chunk.toString()).slice(-4000))
    buildProcess.stdout.on('data', appendOutput)
    buildProcess.stderr.on('data', appendOutput)
    const exitCode = await new Promise<number>((resolve) => {
      buildProcess.on('error', () => resolve(-1))
      buildProcess.on('exit', (exitStatus) => resolve(exitStatus ?? -1))
    })
    const isBuilt = exitCode === 0 && existsSync(join(distFolder, 'index.html'))
    buildState = isBuilt
      ? { kind: 'ready' }
      : { kind: 'failed', message: buildOutput.trim() || `the build ended with ${exitCode}` }
  }
  return { state: () => buildState, done: runBuild(), stop: () => stopBuild() }
}

function sendWaitingPage(reply: FastifyReply, state: Exclude<WebBuild, { kind: 'ready' }>): FastifyReply {
  const isBuilding = state.kind === 'building'
  const pageTitle = isBuilding ? 'The web application is being built' : 'The web application could not be built'
  const detailsHtml = isBuilding
    ? '<p>This page reloads automatically in a few seconds.</p>'
    : `<p>The API works. Fix the build errors below, then restart.</p><pre>${escapeHtml(state.message)}</pre>`
  const refreshMeta = isBuilding ? '<meta http-equiv="refresh" content="3">' : ''
  const pageHtml = `<!doctype html><html lang="en"><head><meta charset="utf-8">${refreshMeta}
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${pageTitle}</title></head>
<body><main><h1>${pageTitle}</h1>${detailsHtml}</main></body></html>`
  return reply.code(503).headers({ 'cache-control': 'no-store', 'retry-after': '3' }).type('text/html').send(pageHtml)
}

const helpPages = { 'pdf-rules': renderPdfHelpPage, 'driven-rules': renderDriveHelpPage } as const

export function registerHelpRoutes(app: FastifyInstance): void {
  for (const [key, renderPage] of Object.entries(helpPages))
    app.get(`/monitor/docs/${key}`, (request, reply) => {
      const { html: pageHtml, policy: securityPolicy } = renderPage(selectLanguage(request.headers['accept-language']))
      return reply
        .headers({ 'content-security-policy': securityPolicy, vary: 'accept-language' })
        .type('text/html; charset=utf-8')
        .send(pageHtml)
    })
}

const loopbackHosts = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** Serves the web application below /monitor. Hashed files are cached permanently; URLs without a file are its screens. */
export async function registerWebRoutes(
  app: FastifyInstance,
  options: { state: () => WebBuild; publicUrl: string },
): Promise<void> {
  // The folder may not exist before the first build, but the file server requires it.
  mkdirSync(distFolder, { recursive: true })
  await app.register(fastifyStatic, { root: distFolder, serve: false, cacheControl: false })
  app.get('/', (_request, reply) => reply.redirect('/monitor'))
  const publicHome = new URL(options.publicUrl)
  const serveFile = async (path: string, host: string, url: string, reply: FastifyReply): Promise<FastifyReply> => {
    // The sign-in belongs to one origin; other names of this machine redirect there.
    const requestedUrl = URL.parse(`http://${host}`)
    if (
      requestedUrl &&
      requestedUrl.host !== publicHome.host &&
      loopbackHosts.has(requestedUrl.hostname) &&
      loopbackHosts.has(publicHome.hostname)
    )
      return reply.redirect(options.publicUrl + url, 307)
    const buildState = options.state()
    if (buildState.kind !== 'ready') return sendWaitingPage(reply, buildState)
    const isFile = path !== '' && (await stat(join(distFolder, path)).catch(() => null))?.isFile()
    if (isFile) {
      const isImmutable = path.startsWith('assets/')
      void reply.header('cache-control', isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache')
      return reply.sendFile(path)
    }
    if (path.startsWith('assets/')) return reply.code(404).type('text/plain').send('No such file')
    return reply.header('cache-control', 'no-cache').sendFile('index.html')
  }
  app.get('/monitor', (request, reply) => serveFile('', request.host, request.url, reply))
  app.get<{ Params: { '*': string } }>('/monitor/*', (request, reply) => {
    const path = request.params['*']
    return serveFile(path.split('/').includes('..') ? '' : path, request.host, request.url, reply)
  })
}
