/** @module-tag slow */
import { Sources } from '@clearway/contract/monitor/scan/crawl/schema.ts'
import { beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { describeOutcome, html, tryScan, type Route, type TestScan, useTestPool, useTestSite } from '../../../test/harness.ts'
import { previewScope } from '../../scan-preview.ts'
import type { ScanPlan } from '../../settings.ts'
import { AdvancedSettings } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { defaultRuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'

// A crawl as an administrator: what acts is not opened, wherever its address comes from.

const pool = useTestPool()
const site = useTestSite(() => routes)

const acts: string[] = []
const act: Route = (request, response) => {
  acts.push(request.url ?? '')
  response.writeHead(200, { 'content-type': 'text/html' }).end(html('Done', 'Done'))
}
const redirectTo =
  (location: string): Route =>
  (_, response) =>
    response.writeHead(302, { location }).end()

const routes: Record<string, Route> = {
  '/': html(
    'Home',
    `<a href="/items">Items</a> <a href="/delete/1">Delete</a> <a href="/wp-admin/post.php?action=trash&_wpnonce=1">x</a>
     <a href="/moved">Moved</a> <a href="/scripted">Scripted</a> <a href="/refreshed">Refreshed</a> <a href="/logout">Log out</a>
     <a href="/x?n=5" data-method="delete">x</a> <a href="/y?n=5" onclick="return confirm('Sure?')">y</a>
     <a href="/items" data-confirm="Sure?">Remove items</a> <iframe src="/frame" title="f"></iframe>
     <a href="/help/how-to-delete-a-file">Help</a> <a href="/delete/3">Allowed</a>`,
  ),
  '/items': html('Items', ''),
  '/help/how-to-delete-a-file': html('Help', ''),
  '/frame': html('Frame', '<a href="/items/7/remove">x</a>'),
  '/moved': redirectTo('/step'),
  '/step': redirectTo('/delete/2'),
  '/scripted': html('Scripted', '<p>Text</p><script>location.href = "/items/8/delete"</script>'),
  '/refreshed': html('Refreshed', '').replace('</head>', '<meta http-equiv="refresh" content="0;url=/items/9/delete"></head>'),
  '/sitemap.xml': (request, response) =>
    response.end(`<urlset><url><loc>http://${request.headers.host}/users/5/ban</loc></url></urlset>`),
  '/robots.txt': 'User-agent: *\nAllow: /\n',
  ...Object.fromEntries(
    [
      '/delete/1',
      '/delete/2',
      '/delete/3',
      '/wp-admin/post.php',
      '/x',
      '/y',
      '/logout',
      '/items/7/remove',
      '/items/8/delete',
    ].map((path) => [path, act]),
  ),
  '/items/9/delete': act,
  '/users/5/ban': act,
}
beforeEach(() => void acts.splice(0))

const buildSession = (mark: NonNullable<ScanPlan['session']>['mark'] = null): Partial<ScanPlan> => ({
  session: {
    connection: null,
    script: {
      name: 's',
      text: JSON.stringify({ projects: [{ name: 's', id: 's', pageList: [{ name: 'p', url: `${site.origin}/items` }] }] }),
      variables: [],
    },
    mark,
  },
  sources: z.parse(Sources, { sitemaps: [`${site.origin}/sitemap.xml`] }),
})
const listNotOpened = ({ excluded }: TestScan) =>
  excluded.filter(({ exclusion }) => exclusion === 'acting-link').map(({ url }) => url.replace(site.origin, '').split('?')[0]!)

test('a scan that signs in opens nothing that acts, and lists it', async () => {
  const testScan = await tryScan(pool, site, { plan: buildSession() })
  expect(acts).toEqual([])
  expect(listNotOpened(testScan).sort()).toEqual(
    ['/delete/1', '/delete/2', '/delete/3', '/wp-admin/post.php', '/logout', '/x', '/y', '/items/7/remove', '/items/8/delete']
      .concat('/items/9/delete', '/users/5/ban')
      .sort(),
  )
  expect(describeOutcome(testScan.pages['/moved'])).toBe('excluded redirect')
  expect(describeOutcome(testScan.pages['/items'])).toBe('completed')
  expect(describeOutcome(testScan.pages['/help/how-to-delete-a-file'])).toBe('completed')
  expect(testScan.excluded.find(({ url }) => url.endsWith('/delete/1'))?.detail).toBe('It may change something: delete')
  const withToken = testScan.excluded.find(({ url }) => url.includes('post.php'))
  expect(withToken).toMatchObject({
    url: `${site.origin}/wp-admin/post.php?action=trash&_wpnonce=*`,
    key: `${site.origin}/wp-admin/post.php?action=trash&_wpnonce=*`,
  })
})

test('a scan without a sign-in opens all, unless its settings say otherwise; the preview does the same', async () => {
  const openScan = await tryScan(pool, site, { plan: { depth: 1 } })
  expect(listNotOpened(openScan)).toEqual([])
  expect(acts).toContain('/delete/1')
  acts.splice(0)
  const advanced = { skipActingLinks: true, actingUrlsToOpen: ['*/delete/3'] }
  const carefulScan = await tryScan(pool, site, { advanced, plan: { depth: 1 } })
  expect(acts).toEqual(['/delete/3'])
  expect(listNotOpened(carefulScan)).toContain('/logout')
  acts.splice(0)
  const previewed: Record<string, string> = {}
  await previewScope(
    { pool, onUrl: ({ url, reason, verdict }) => (previewed[url.replace(site.origin, '')] = reason ?? verdict) },
    {
      urls: [`${site.origin}/`],
      domains: [new URL(site.origin).host],
      depth: 1,
      pageLimit: 50,
      ruleSet: defaultRuleSet,
      advanced: z.parse(AdvancedSettings, advanced),
      allowPrivate: ['127.0.0.0/8'],
      concurrency: 2,
    },
    { limitMs: 60_000, signal: new AbortController().signal },
  )
  expect(acts).toEqual(['/delete/3'])
  expect(previewed).toMatchObject({ '/delete/1': 'acting-link', '/delete/3': 'crawled', '/logout': 'acting-link' })
})

test('a start URL that acts is opened once, although its visit fails', async () => {
  const mark = { means: 'signed-in', kind: 'selector', value: '#never' } as const
  const testScan = await tryScan(pool, site, { urls: ['/delete/1'], plan: buildSession(mark) })
  expect(acts).toEqual(['/delete/1'])
  expect(describeOutcome(testScan.pages['/delete/1'])).toBe('failed session-failed')
})
