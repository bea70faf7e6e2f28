/** @module-tag slow */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { unpackEmbedded } from './embedded.ts'

let cacheFolder: string
beforeEach(() => {
  cacheFolder = mkdtempSync(join(tmpdir(), 'clearway-embedded-'))
})
afterEach(() => rmSync(cacheFolder, { recursive: true, force: true }))

const hasBrowserPackage = process.platform === 'linux' && process.arch === 'x64'

it.runIf(hasBrowserPackage)('is unpacked once for concurrent callers', async () => {
  const [firstInstall, ...otherInstalls] = await Promise.all([1, 2, 3].map(() => unpackEmbedded(cacheFolder)))
  for (const otherInstall of otherInstalls) expect(otherInstall).toEqual(firstInstall)
  expect(readdirSync(cacheFolder)).toHaveLength(1)
})

/** Lists files below a folder that any process has mapped. */
const listMappedFiles = (parentFolder: string): string[] =>
  readdirSync('/proc').flatMap((name) => {
    try {
      const memoryMap = readFileSync(`/proc/${name}/maps`, 'utf8')
      return memoryMap.split('\n').flatMap((line) => (line.includes(parentFolder) ? [line.slice(line.indexOf('/'))] : []))
    } catch {
      // The process ended, or the entry is not a process.
      return []
    }
  })

it.runIf(hasBrowserPackage)('opens https pages on a machine without SQLite', { timeout: 60_000 }, async () => {
  const readKeystore = (name: string) => readFileSync(join(import.meta.dirname, '../../../../fixtures/keystores', name))
  const server = createServer({ key: readKeystore('server.key'), cert: readKeystore('server.pem') }, (_, response) =>
    response.end('<title>Safe</title>'),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { path: programPath, env } = await unpackEmbedded(cacheFolder)
  const browser = await chromium.launch({
    executablePath: programPath,
    env: { ...(process.env as Record<string, string>), ...env },
    args: ['--no-sandbox'],
  })
  try {
    const page = await browser.newPage({ ignoreHTTPSErrors: true })
    await page.goto(`https://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    expect(await page.title()).toBe('Safe')
    // Proves that the stub was loaded rather than a system library.
    expect(listMappedFiles(cacheFolder)).toContain(join(cacheFolder, readdirSync(cacheFolder)[0]!, 'lib/libsqlite3.so.0'))
  } finally {
    await browser.close()
    server.closeAllConnections()
    server.close()
  }
})
