/** @module-tag slow */
import { expect, it } from 'vitest'
import { html, useTestPool, useTestSite, useTestTab } from '../../../test/harness.ts'
import { sleep } from '../../browser/deadline.ts'
import { holdRefreshes } from '../../browser/refresh.ts'
import { arriveAtUrl } from './arrive.ts'

const pool = useTestPool()
const testTab = useTestTab(pool)
const site = useTestSite(() => ({
  '/asked': html('Asked', ''),
  '/%C3%A4%20b': html('Asked', ''),
  '/from': (_, response) => void response.writeHead(302, { location: '/over' }).end(),
  '/over': (_, response) => void response.writeHead(301, { location: '/asked' }).end(),
  // Keeps navigating by itself to a slow response.
  '/restless': html('Restless', `<script>let n = 0; setInterval(() => { location.href = '/elsewhere?' + n++ }, 1)</script>`),
  '/elsewhere': (_, response) => void setTimeout(() => response.writeHead(200, { 'content-type': 'text/html' }).end('else'), 5),
  '/again': (_, response) => void response.writeHead(200, { 'content-type': 'text/html', refresh: '9' }).end(html('Again', '')),
  '/leaves': html('Leaves', `<script>location.replace('/asked')</script>`),
}))

const arriveAt = (path: string) => arriveAtUrl(testTab.tab, testTab.guard, new URL(path, site.origin).href, 20_000)

it.each([
  ['/asked', '/asked'],
  ['/asked#part', '/asked#part'],
  ['/%C3%A4%20b', '/%C3%A4%20b'],
  ['/from', '/asked'],
  ['/over#part', '/asked#part'],
])('arriving at %s returns the response of %s', async (requestedPath, arrivedPath) => {
  expect(await arriveAt(requestedPath)).toMatchObject({ kind: 'document', status: 200, url: site.origin + arrivedPath })
})

it('recognizes the response to a URL whose password the browser removes', async () => {
  const url = new URL('/asked', site.origin)
  url.username = 'anna'
  url.password = 'secret'
  const startedAt = performance.now()
  expect(await arriveAtUrl(testTab.tab, testTab.guard, url.href, 20_000)).toMatchObject({ kind: 'document', status: 200 })
  expect(performance.now() - startedAt).toBeLessThan(5000)
})

it('reports a page that navigates away immediately, not its target', async () => {
  for (let attempt = 0; attempt < 5; attempt++)
    expect(await arriveAt('/leaves')).toMatchObject({ kind: 'document', url: `${site.origin}/leaves` })
})

it('requests a page again although its refresh to itself is held', async () => {
  // The previous test leaves a page that may still navigate.
  await arriveAt('/asked')
  const refreshHold = holdRefreshes(testTab.tab)
  await arriveAt('/again')
  for (const deadlineAt = performance.now() + 5000; performance.now() < deadlineAt && refreshHold.listTargets().length === 0;)
    await sleep(50)
  expect(refreshHold.listTargets()).toEqual([`${site.origin}/again`])
  await sleep(300)
  expect(await arriveAt('/again')).toMatchObject({ kind: 'document' })
  refreshHold.clear()
  expect(refreshHold.listTargets()).toEqual([])
  refreshHold.release()
})

it('never reports the response to a request of the previous page', async () => {
  for (let attempt = 0; attempt < 25; attempt++) {
    await testTab.tab.page.goto(`${site.origin}/restless`).catch(() => null)
    const pageArrival = await arriveAt(`/asked?${attempt}`)
    // It may fail with its own URL, but must not return another page.
    expect(pageArrival.url).toBe(`${site.origin}/asked?${attempt}`)
    if (pageArrival.kind !== 'document') expect(pageArrival).toMatchObject({ reason: 'browser-driver' })
  }
})
