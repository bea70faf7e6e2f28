/** @module-tag slow */
import net from 'node:net'
import http from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildResponse, hostileResponses } from '../../test/hostile-answers.ts'
import { describeOutcome, html, tryScan, useTestPool } from '../../test/harness.ts'
import { createAddressRule } from '@clearway/contract/kit/address-rule.ts'
import { openDialer } from './dial.ts'
import { openFetch } from './fetch.ts'
import { openGuard, type Guard } from './guard.ts'

// A site that tries to crash the process that reads its responses. An uncaught error fails this file.

let site: net.Server
let siteOrigin = ''
const pool = useTestPool()
beforeAll(async () => {
  site = net.createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (chunk) => {
      const path = /^\w+ (\S+)/.exec(chunk.toString('latin1'))?.[1] ?? ''
      if (path === '/robots.txt') return void socket.end(buildResponse('HTTP/1.1 404 No', '', ''))
      const imageTags = Object.keys(hostileResponses).map((name) => `<img alt="" src="${name}">`)
      const rawResponse = hostileResponses[path]?.sent ?? buildResponse('HTTP/1.1 200 OK', '', html('Fine', imageTags.join('')))
      socket.end(Buffer.from(rawResponse, 'latin1'))
    })
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', () => resolve()))
  siteOrigin = `http://127.0.0.1:${(site.address() as net.AddressInfo).port}`
}, 60_000)
afterAll(async () => {
  site.close()
})

const loopbackDial = openDialer({ rule: createAddressRule(['127.0.0.1']) })

function requestThroughGuard(guard: Guard, path: string): Promise<number> {
  return new Promise((resolve) => {
    const request = http.request({
      port: new URL(guard.server).port,
      path: `${siteOrigin}${path}`,
      agent: false,
    })
    request.on('response', (response) => {
      response.on('error', () => {})
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    request.on('error', () => resolve(-1))
    request.end()
  })
}

describe('responses that could crash a process', () => {
  it.each(Object.keys(hostileResponses))('%s is forwarded to the browser or refused', async (path) => {
    const guard = await openGuard(loopbackDial)
    const { status } = hostileResponses[path]!
    expect(await requestThroughGuard(guard, path)).toBe(status)
    if (status === 502) expect(guard.findProblem(new URL(siteOrigin).host, 0)).toMatchObject({ problem: 'connection-failed' })
    expect(await requestThroughGuard(guard, '/fine')).toBe(200)
    await guard.close()
  })

  it('fetches outside the browser return a result', async () => {
    const fetcher = openFetch(loopbackDial)
    for (const path of Object.keys(hostileResponses)) {
      const file = await fetcher.fetchFile(`${siteOrigin}${path}`, 100_000)
      expect(typeof file.ok).toBe('boolean')
    }
    await fetcher.close()
  }, 120_000)

  it('a scan with these responses as pages and images completes all other pages', async () => {
    const urls = ['/000', '/early-hints', '/304-body', '/fine-1', '/fine-2']
    const { pages, end: scanEnd } = await tryScan(pool, { origin: siteOrigin }, { urls, plan: { depth: 0 } })
    expect(scanEnd.kind).toBe('drained')
    expect(Object.keys(pages).sort()).toEqual(urls.sort())
    expect([describeOutcome(pages['/fine-1']), describeOutcome(pages['/fine-2'])]).toEqual(['completed', 'completed'])
    const failedPages = Object.values(pages).filter(({ kind }) => kind === 'failed')
    for (const page of failedPages) expect(page).toMatchObject({ detail: expect.stringMatching(/\S/) as string })
    expect(describeOutcome(pages['/000'])).toBe('failed connection-failed')
  }, 240_000)
})
