import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
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
