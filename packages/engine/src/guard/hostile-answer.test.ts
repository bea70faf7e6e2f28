import net from 'node:net'
import http from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fate, html, tryScan, poolOfFile } from '../../test/harness.ts'
import { addressRule } from '@clearway/contract/kit/address-rule.ts'
import { openDialler } from '@clearway/contract/kit/dial.ts'
import { openFetch } from './fetch.ts'
import { openGuard, type Guard } from './guard.ts'

// A site that wants to end the process that reads its answers. An error that nobody catches fails this file.

const body = html('Odd', '<img src="data:,">')
const answer = (start: string, headers = '', text = body): string =>
  `${start}\r\ncontent-type: text/html\r\n${headers}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`

/** What is sent for each path, as it is; `status`: what a browser gets of it through the guard; -1: it breaks off. */
const answers: Record<string, { sent: string; status: number }> = {
  '/000': { sent: answer('HTTP/1.1 000 X'), status: 502 },
  '/099': { sent: answer('HTTP/1.1 099 X'), status: 502 },
  '/100-only': { sent: 'HTTP/1.1 100 Continue\r\n\r\n', status: 502 },
  '/101': { sent: answer('HTTP/1.1 101 Switching', 'upgrade: x\r\nconnection: upgrade\r\n'), status: 502 },
  '/999': { sent: answer('HTTP/1.1 999 X'), status: 999 },
  '/1000': { sent: answer('HTTP/1.1 1000 X'), status: 502 },
  '/no-status': { sent: answer('HTTP/1.1'), status: 502 },
  '/minus': { sent: answer('HTTP/1.1 -1 X'), status: 502 },
  '/304-body': { sent: answer('HTTP/1.1 304 Not Modified'), status: 304 },
  '/204-body': { sent: answer('HTTP/1.1 204 No Content'), status: 204 },
  '/early-hints': {
    sent: 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(2000) + answer('HTTP/1.1 200 OK'),
    status: 502,
  },
  '/few-hints': {
    sent: 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(3) + answer('HTTP/1.1 200 OK'),
    status: 200,
  },
  '/bad-value': { sent: answer('HTTP/1.1 200 OK', 'x-odd: a\u0001b\r\n'), status: 200 },
  '/bad-name': { sent: answer('HTTP/1.1 200 OK', 'x odd: a\r\n(x): b\r\n'), status: 502 },
  '/two-lengths': { sent: answer('HTTP/1.1 200 OK', 'content-length: 3\r\n'), status: 502 },
  '/length-and-chunks': { sent: answer('HTTP/1.1 200 OK', 'transfer-encoding: chunked\r\n'), status: -1 },
  '/bad-chunk': {
    sent: `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n${body}`,
    status: -1,
  },
  '/reason': { sent: answer(`HTTP/1.1 200 ${'\u0080\u00ff'.repeat(50)}`), status: 200 },
  '/half': { sent: answer('HTTP/1.1 200 OK').slice(0, 80), status: 200 },
  '/nothing': { sent: '', status: 502 },
  '/noise': { sent: '\u0000'.repeat(1000), status: 502 },
}

let site: net.Server
let origin = ''
const pool = poolOfFile()
beforeAll(async () => {
  site = net.createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (chunk) => {
      const path = /^\w+ (\S+)/.exec(chunk.toString('latin1'))?.[1] ?? ''
      if (path === '/robots.txt') return void socket.end(answer('HTTP/1.1 404 No', '', ''))
      const pictures = Object.keys(answers).map((name) => `<img alt="" src="${name}">`)
      const found = answers[path]?.sent ?? answer('HTTP/1.1 200 OK', '', html('Fine', pictures.join('')))
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
  it.each(Object.keys(answers))('%s is passed to the browser, or refused', async (path) => {
    const guard = await openGuard(dial)
    const { status } = answers[path]!
    expect(await ask(guard, path)).toBe(status)
    if (status === 502)
      expect(guard.problemOf(new URL(origin).host, 0)).toMatchObject({ problem: 'connection-failed' })
    expect(await ask(guard, '/fine')).toBe(200)
    await guard.close()
  })

  it('fetches past the browser come to a value', async () => {
    const fetcher = openFetch(dial)
    for (const path of Object.keys(answers)) {
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
