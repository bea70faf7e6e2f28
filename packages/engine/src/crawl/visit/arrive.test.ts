import { expect, it } from 'vitest'
import { html, poolOfFile, siteOfFile, tabOfFile } from '../../../test/harness.ts'
import { sleep } from '../../browser/deadline.ts'
import { holdRefreshes } from '../../browser/refresh.ts'
import { arrive } from './arrive.ts'

const pool = poolOfFile()
const opened = tabOfFile(pool)
const site = siteOfFile(() => ({
  '/asked': html('Asked', ''),
  '/%C3%A4%20b': html('Asked', ''),
  '/from': (_, response) => void response.writeHead(302, { location: '/over' }).end(),
  '/over': (_, response) => void response.writeHead(301, { location: '/asked' }).end(),
  // Leaves by itself, over and over, to what takes its time to answer.
  '/restless': html(
    'Restless',
    `<script>let n = 0; setInterval(() => { location.href = '/elsewhere?' + n++ }, 1)</script>`,
  ),
  '/elsewhere': (_, response) =>
    void setTimeout(() => response.writeHead(200, { 'content-type': 'text/html' }).end('else'), 5),
  '/again': (_, response) =>
    void response.writeHead(200, { 'content-type': 'text/html', refresh: '9' }).end(html('Again', '')),
  '/leaves': html('Leaves', `<script>location.replace('/asked')</script>`),
}))

const go = (path: string) => arrive(opened.tab, opened.guard, new URL(path, site.origin).href, 20_000)

it.each([
  ['/asked', '/asked'],
  ['/asked#part', '/asked'],
  ['/%C3%A4%20b', '/%C3%A4%20b'],
  ['/from', '/asked'],
  ['/over#part', '/asked'],
])('the answer to %s is that of %s', async (asked, answered) => {
  expect(await go(asked)).toMatchObject({ kind: 'document', status: 200, url: site.origin + answered })
})

it('knows the answer to a URL that the browser writes without its password', async () => {
  const url = new URL('/asked', site.origin)
  url.username = 'anna'
  url.password = 'secret'
  const began = performance.now()
  expect(await arrive(opened.tab, opened.guard, url.href, 20_000)).toMatchObject({
    kind: 'document',
    status: 200,
  })
  expect(performance.now() - began).toBeLessThan(5000)
})

it('takes a page that leaves at once for itself, not for where it goes', async () => {
  for (let round = 0; round < 5; round++)
    expect(await go('/leaves')).toMatchObject({ kind: 'document', url: `${site.origin}/leaves` })
})

it('asks once more for a page that is kept from a refresh to itself', async () => {
  // The test before leaves a page that may still lead on.
  await go('/asked')
  const hold = holdRefreshes(opened.tab)
  await go('/again')
  for (const end = performance.now() + 5000; performance.now() < end && hold.listTargets().length === 0;)
    await sleep(50)
  expect(hold.listTargets()).toEqual([`${site.origin}/again`])
  await sleep(300)
  expect(await go('/again')).toMatchObject({ kind: 'document' })
  hold.clear()
  expect(hold.listTargets()).toEqual([])
  hold.release()
})

it('never takes the answer to what the page before still asks for', async () => {
  for (let round = 0; round < 25; round++) {
    await opened.tab.page.goto(`${site.origin}/restless`).catch(() => null)
    const arrival = await go(`/asked?${round}`)
    // It may fail, by its name; what it must not be is another page.
    expect(arrival.url).toBe(`${site.origin}/asked?${round}`)
    if (arrival.kind !== 'document') expect(arrival).toMatchObject({ reason: 'browser-driver' })
  }
})
