import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeOutcome, html, listRules, serve, tryScan } from '../../test/harness.ts'
import { findBrowser } from './find-browser.ts'
import { openPool } from './pool.ts'
import { killTree } from './process-tree.ts'

// A browser run by another party, for example in another container.

const profileFolder = mkdtempSync(join(tmpdir(), 'clearway-remote-'))
let browserProcess: ChildProcess
let endpoint = ''
beforeAll(async () => {
  const localLookup = await findBrowser({
    setting: process.env.CLEARWAY_BROWSER ?? null,
    cacheFolder: join(tmpdir(), `clearway-${process.getuid?.() ?? 'user'}`),
    sandbox: false,
  })
  if (!localLookup.found) throw new Error(localLookup.remedy)
  browserProcess = spawn(
    localLookup.facts.path,
    ['--headless', '--no-sandbox', '--remote-debugging-port=0', `--user-data-dir=${profileFolder}`, 'about:blank'],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...localLookup.facts.env } },
  )
  endpoint = await new Promise<string>((resolve, reject) => {
    let stderrText = ''
    browserProcess.stderr?.on('data', (chunk: Buffer) => {
      stderrText += chunk.toString()
      const endpointUrl = /ws:\/\/\S+/.exec(stderrText)?.[0]
      if (endpointUrl) resolve(endpointUrl)
    })
    browserProcess.once('exit', () => reject(new Error(stderrText)))
  })
}, 30_000)
afterAll(async () => {
  const exitPromise = new Promise((resolve) => browserProcess.once('exit', resolve))
  // The program may be a script that starts the browser.
  killTree(browserProcess.pid!)
  await exitPromise
  rmSync(profileFolder, { recursive: true, force: true, maxRetries: 5 })
})

test.each([undefined, hostname()])('scans in a remote browser, through the guard (host %s)', async (guardHost) => {
  const remoteLookup = await findBrowser({
    setting: endpoint,
    cacheFolder: profileFolder,
    sandbox: true,
    ...(guardHost === undefined ? {} : { guardHost }),
  })
  if (!remoteLookup.found) throw new Error(JSON.stringify(remoteLookup))
  expect(remoteLookup.facts.source).toBe('remote')
  const site = await serve({
    '/': html('Home', '<img src="data:,"><a href="http://10.0.0.1/">no</a>'),
    '/away': (_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
  })
  const pool = await openPool(remoteLookup.facts, { pages: 2 })
  const { pages } = await tryScan(pool, site, {
    urls: ['/', '/away'],
    plan: { domains: [new URL(site.origin).host, '10.0.0.1'] },
  })
  expect([describeOutcome(pages['/']), describeOutcome(pages['http://10.0.0.1/'])]).toEqual([
    'completed',
    'failed address-refused',
  ])
  expect(listRules(pages['/'])).toContain('image-alt')
  await pool.close()
  await site.close()
  // The browser belongs to another party and must survive.
  expect(browserProcess.exitCode).toBe(null)
})

test('a remote browser that is not there is reported', async () => {
  const failedLookup = await findBrowser({
    setting: 'http://127.0.0.1:9/',
    cacheFolder: profileFolder,
    sandbox: true,
  })
  expect(failedLookup).toMatchObject({ found: false, tried: [{ what: 'http://127.0.0.1:9/' }] })
})
