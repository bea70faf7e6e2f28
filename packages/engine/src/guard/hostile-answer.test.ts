import net from 'node:net'
import http from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answer, hostileAnswers } from '../../test/hostile-answers.ts'
import { fate, html, tryScan, poolOfFile } from '../../test/harness.ts'
import { addressRule } from '@clearway/contract/kit/address-rule.ts'
import { openDialler } from '@clearway/contract/kit/dial.ts'
import { openFetch } from './fetch.ts'
import { openGuard, type Guard } from './guard.ts'

// A site that wants to end the process that reads its answers. An error that nobody catches fails this file.

let site: net.Server
let origin = ''
const pool = poolOfFile()
beforeAll(async () => {
  site = net.createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (chunk) => {
      const path = /^\w+ (\S+)/.exec(chunk.toString('latin1'))?.[1] ?? ''
      if (path === '/robots.txt') return void socket.end(answer('HTTP/1.1 404 No', '', ''))
      const pictures = Object.keys(hostileAnswers).map((name) => `<img alt="" src="${name}">`)
      const found =
        hostileAnswers[path]?.sent ?? answer('HTTP/1.1 200 OK', '', html('Fine', pictures.join('')))
      socket.end(Buffer.from(found, 'latin1'))
    })
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', () => resolve()))
  origin = `http://127.0.0.1:${(site.address() as net.AddressInfo).port}`
}, 60_000)
afterAll(async () => {
  site.close()
})

const dial = openDialler({ rule: addressRule(['127.0.0.1']) })

function ask(guard: Guard, path: string): Promise<number> {
  return new Promise((resolve) => {
    const request = http.request({ port: new URL(guard.server).port, path: `${origin}${path}`, agent: false })
    request.on('response', (response) => {
      response.on('error', () => {})
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    request.on('error', () => resolve(-1))
    request.end()
  })
}

describe('answers that a process could end of', () => {
  it.each(Object.keys(hostileAnswers))('%s is passed to the browser, or refused', async (path) => {
    const guard = await openGuard(dial)
    const { status } = hostileAnswers[path]!
    expect(await ask(guard, path)).toBe(status)
    if (status === 502)
      expect(guard.problemOf(new URL(origin).host, 0)).toMatchObject({ problem: 'connection-failed' })
    expect(await ask(guard, '/fine')).toBe(200)
    await guard.close()
  })

  it('fetches past the browser come to a value', async () => {
    const fetcher = openFetch(dial)
    for (const path of Object.keys(hostileAnswers)) {
      const file = await fetcher.fetchFile(`${origin}${path}`, 100_000)
      expect(typeof file.ok).toBe('boolean')
    }
    await fetcher.close()
  }, 120_000)

  it('a scan of them, as pages and as pictures, completes all others', async () => {
    const urls = ['/000', '/early-hints', '/304-body', '/fine-1', '/fine-2']
    const { pages, end } = await tryScan(pool, { origin }, { urls, plan: { depth: 0 } })
    expect(end.kind).toBe('drained')
    expect(Object.keys(pages).sort()).toEqual(urls.sort())
    expect([fate(pages['/fine-1']), fate(pages['/fine-2'])]).toEqual(['completed', 'completed'])
    const failed = Object.values(pages).filter(({ kind }) => kind === 'failed')
    for (const page of failed) expect(page).toMatchObject({ detail: expect.stringMatching(/\S/) as string })
    expect(fate(pages['/000'])).toBe('failed connection-failed')
  }, 240_000)
})
