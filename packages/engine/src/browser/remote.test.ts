import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fate, html, rulesOf, serve, tryScan } from '../../test/harness.ts'
import { findBrowser } from './find.ts'
import { openPool } from './pool.ts'
import { killTree } from './process-tree.ts'

// A browser that somebody else runs, as it would run in another container.

const folder = mkdtempSync(join(tmpdir(), 'clearway-remote-'))
let child: ChildProcess
let endpoint = ''
beforeAll(async () => {
  const local = await findBrowser({
    setting: process.env.CLEARWAY_BROWSER ?? null,
    cacheFolder: join(tmpdir(), `clearway-${process.getuid?.() ?? 'user'}`),
    sandbox: false,
  })
  if (!local.found) throw new Error(local.remedy)
  child = spawn(
    local.facts.path,
    ['--headless', '--no-sandbox', '--remote-debugging-port=0', `--user-data-dir=${folder}`, 'about:blank'],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...local.facts.env } },
  )
  endpoint = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const found = /ws:\/\/\S+/.exec(said)?.[0]
      if (found) resolve(found)
    })
    child.once('exit', () => reject(new Error(said)))
  })
}, 30_000)
afterAll(async () => {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  // What was started may be a script that starts the browser.
  killTree(child.pid!)
  await ended
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

test.each([undefined, hostname()])(
  'scans in a remote browser, through the guard (host %s)',
  async (guardHost) => {
    const lookup = await findBrowser({
      setting: endpoint,
      cacheFolder: folder,
      sandbox: true,
      ...(guardHost === undefined ? {} : { guardHost }),
    })
    if (!lookup.found) throw new Error(JSON.stringify(lookup))
    expect(lookup.facts.source).toBe('remote')
    const site = await serve({
      '/': html('Home', '<img src="data:,"><a href="http://10.0.0.1/">no</a>'),
      '/away': (_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
    })
    const pool = await openPool(lookup.facts, { pages: 2 })
    const { pages } = await tryScan(pool, site, {
      urls: ['/', '/away'],
      plan: { domains: [new URL(site.origin).host, '10.0.0.1'] },
    })
    expect([fate(pages['/']), fate(pages['http://10.0.0.1/'])]).toEqual([
      'completed',
      'failed address-refused',
    ])
    expect(rulesOf(pages['/'])).toContain('image-alt')
    await pool.close()
    await site.close()
    // It was somebody else's: it lives on.
    expect(child.exitCode).toBe(null)
  },
)

test('a remote browser that is not there is reported', async () => {
  const lookup = await findBrowser({ setting: 'http://127.0.0.1:9/', cacheFolder: folder, sandbox: true })
  expect(lookup).toMatchObject({ found: false, tried: [{ what: 'http://127.0.0.1:9/' }] })
})
