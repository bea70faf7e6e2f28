import assert from 'node:assert/strict'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

/** Responds by itself, or returns the links of a page besides those to its two children. */
type TreeResponder = (number: number, request: IncomingMessage, response: ServerResponse) => string[] | ServerResponse

/** Starts a site whose pages form a tree, each with one violation (an image without a text). It ends with the process. */
export async function startTree(pages: number, respond: TreeResponder): Promise<string> {
  const site = createServer((request, response) => {
    const number = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0)
    const extraLinks = respond(number, request, response)
    if (!Array.isArray(extraLinks)) return
    const children = [number * 2 + 1, number * 2 + 2].filter((n) => n < pages).map((n) => `/${n}`)
    const links = [...children, ...extraLinks].map((link) => `<a href="${link}">${link}</a>`)
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(
      `<!doctype html><html lang="en"><title>Page ${number}</title><main><h1>Page ${number}</h1><img src="data:,">${links.join(' ')}</main>`,
    )
  }).listen(0, '127.0.0.1')
  site.unref()
  await new Promise((resolve) => site.once('listening', resolve))
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}/`
}

/** Fills the disk of a folder to the last byte, until `wait` ends. */
export async function fillDisk(folder: string, wait: () => Promise<unknown>): Promise<void> {
  const ballast = join(folder, 'ballast')
  try {
    writeFileSync(ballast, '')
    for (const chunk = Buffer.alloc(1 << 20); ;) writeFileSync(ballast, chunk, { flag: 'a' })
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC')
  }
  await wait()
  rmSync(ballast)
}

/**
 * A settable clock for the processes of a product (Debian's package `faketime`): the machine's clock plus the hours in a
 * file, which they read again each second. The database, the browser and timers keep the machine's clock, as where a real
 * clock is set. Null where the library is missing.
 */
export function createFakeClock(file: string) {
  const system = process.arch === 'arm64' ? 'aarch64' : 'x86_64'
  const library = `/usr/lib/${system}-linux-gnu/faketime/libfaketimeMT.so.1`
  if (!existsSync(library)) return null
  let hours = 0
  const setHours = (offsetHours: number): void => {
    hours = offsetHours
    writeFileSync(file, `${offsetHours < 0 ? '' : '+'}${offsetHours}h`)
  }
  setHours(0)
  process.once('exit', () => rmSync(file))
  const env = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    FAKETIME_DONT_RESET: '1',
    FAKETIME_SKIP_CMDS: 'postgres,initdb,pg_ctl,chromium,chrome,chrome_crashpad',
  }
  return { env, hours: () => hours, set: setHours }
}
