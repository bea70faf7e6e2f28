import assert from 'node:assert/strict'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** Answers by itself, or says which links a page has besides those to its two children. */
type Answer = (
  number: number,
  request: IncomingMessage,
  response: ServerResponse,
) => string[] | ServerResponse

/** A site whose pages are a tree, each with one fault (an image without a text). It ends with the process. */
export async function startTree(pages: number, answer: Answer): Promise<string> {
  const site = createServer((request, response) => {
    const number = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0)
    const more = answer(number, request, response)
    if (!Array.isArray(more)) return
    const children = [number * 2 + 1, number * 2 + 2].filter((n) => n < pages).map((n) => `/${n}`)
    const links = [...children, ...more].map((link) => `<a href="${link}">${link}</a>`)
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(
      `<!doctype html><html lang="en"><title>Page ${number}</title><main><h1>Page ${number}</h1><img src="data:,">${links.join(' ')}</main>`,
    )
  }).listen(0, '127.0.0.1')
  site.unref()
  await new Promise((resolve) => site.once('listening', resolve))
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}/`
}

/** Takes the last byte of the disk of a folder, for a while. */
export async function fillDisk(folder: string, forMs: number): Promise<void> {
  const ballast = join(folder, 'ballast')
  try {
    writeFileSync(ballast, '')
    for (const piece = Buffer.alloc(1 << 20); ;) writeFileSync(ballast, piece, { flag: 'a' })
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC')
  }
  await pause(forMs)
  rmSync(ballast)
}

/**
 * A clock that can be set for the processes of a product (Debian's package `faketime`): the machine's and the hours in a file, which they
 * read again each second. The database and the browser keep the machine's; so do timers, as where a real clock is set. Null
 * where the library is missing.
 */
export function fakeClock(file: string) {
  const system = process.arch === 'arm64' ? 'aarch64' : 'x86_64'
  const library = `/usr/lib/${system}-linux-gnu/faketime/libfaketimeMT.so.1`
  if (!existsSync(library)) return null
  let hours = 0
  const set = (to: number): void => {
    hours = to
    writeFileSync(file, `${to < 0 ? '' : '+'}${to}h`)
  }
  set(0)
  process.once('exit', () => rmSync(file))
  const env = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    FAKETIME_DONT_RESET: '1',
    FAKETIME_SKIP_CMDS: 'postgres,initdb,pg_ctl,chromium,chrome,chrome_crashpad',
  }
  return { env, hours: () => hours, set }
}
