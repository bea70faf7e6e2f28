import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { unpackEmbedded } from './embedded.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clearway-embedded-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const hasPackage = process.platform === 'linux' && process.arch === 'x64'

it.runIf(hasPackage)('is unpacked once for several who look for it at the same time', async () => {
  const [first, ...others] = await Promise.all([1, 2, 3].map(() => unpackEmbedded(folder)))
  for (const other of others) expect(other).toEqual(first)
  expect(readdirSync(folder)).toHaveLength(1)
})

/** Files that some process has mapped below a folder. */
const mappedBelow = (below: string): string[] =>
  readdirSync('/proc').flatMap((name) => {
    try {
      const maps = readFileSync(`/proc/${name}/maps`, 'utf8')
      return maps.split('\n').flatMap((line) => (line.includes(below) ? [line.slice(line.indexOf('/'))] : []))
    } catch {
      // It ended meanwhile, or is no process.
      return []
    }
  })

it.runIf(hasPackage)('opens https pages on a machine without SQLite', { timeout: 60_000 }, async () => {
  const key = (name: string) =>
    readFileSync(join(import.meta.dirname, '../../../../fixtures/keystores', name))
  const server = createServer({ key: key('server.key'), cert: key('server.pem') }, (_, response) =>
    response.end('<title>Safe</title>'),
  )
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { path, env } = await unpackEmbedded(folder)
  const browser = await chromium.launch({
    executablePath: path,
    env: { ...(process.env as Record<string, string>), ...env },
    args: ['--no-sandbox'],
  })
  try {
    const page = await browser.newPage({ ignoreHTTPSErrors: true })
    await page.goto(`https://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    expect(await page.title()).toBe('Safe')
    // The machine's own library, if there is one, is not what made that work.
    expect(mappedBelow(folder)).toContain(join(folder, readdirSync(folder)[0]!, 'lib/libsqlite3.so.0'))
  } finally {
    await browser.close()
    server.closeAllConnections()
    server.close()
  }
})
