import type { Finding, PageOutcome } from '@clearway/engine/outcome.ts'
import { expect, it } from 'vitest'
import { useTestApi } from '../../../test/api.ts'
import { buildCompleted, buildFinding, recordRun } from '../../../test/run.ts'
import { archiveRun } from '../run/retention/store.ts'

const api = useTestApi()

it('stores a screenshot of a failed script step', async () => {
  const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])
  const failed = { kind: 'failed', reason: 'script-event-missing', detail: 'Step 2', durationMs: 1 } as const
  const run = await recordRun(api, undefined, { seen: { ...failed, screenshot: jpeg }, unseen: failed })
  const token = await api.token('runner', ['access', 'admin'])
  const get = (path: string) => api.call('GET', path, { token })
  const { content } = (await get(`/pages?scanId=${run.scanId}&sort=url,asc`)).body as { content: { id: string; url: string }[] }
  const [seen, unseen] = ['seen', 'unseen'].map((name) => content.find(({ url }) => url.endsWith(`/${name}`))!.id)
  expect((await get(`/pages/${seen}`)).body).toMatchObject({ hasPicture: true, hasContent: false })
  expect((await get(`/pages/${unseen}`)).body).toMatchObject({ hasPicture: false, hasContent: false })
  const picture = await api.app.inject({
    url: `/monitor-api/pages/${seen}/picture`,
    headers: { authorization: `Bearer ${token}` },
  })
  expect(picture.headers['content-type']).toBe('image/jpeg')
  expect(picture.rawPayload).toEqual(jpeg)
  expect((await get(`/pages/${unseen}/picture`)).status).toBe(404)
  expect((await get(`/pages/${seen}/content`)).status).toBe(404)
})

it('stores photographs of a page with the positions of its open issues', async () => {
  const [top, below, other] = [1, 2, 3].map((n) => new Uint8Array([0xff, 0xd8, 0xff, 0xe0, n]))
  const createShownFinding = (key: string, image: Uint8Array, y: number) =>
    buildFinding(key, {
      picture: { image, mimeType: 'image/jpeg', box: { x: 1, y, width: 20, height: 10 } },
      html: `<img id="${key}">`,
    })
  const findings = [
    createShownFinding('a', top!, 50),
    createShownFinding('b', top!, 5),
    createShownFinding('c', other!, 7),
    buildFinding('d'),
  ]
  const run = await recordRun(
    api,
    undefined,
    {
      seen: { ...buildCompleted(findings), views: [top!, below!] } as PageOutcome,
      bare: { ...buildCompleted(), stateLabel: 'Home-Open' } as PageOutcome,
    },
    'Views',
  )
  const token = await api.token('runner', ['access', 'admin'])
  const get = (path: string) => api.call('GET', path, { token })
  const { content } = (await get(`/pages?scanId=${run.scanId}&sort=url,desc`)).body as { content: { id: string }[] }
  const [seen, bare] = content.map(({ id }) => id)
  expect((await get(`/pages/${bare}`)).body).toMatchObject({ title: 'Home-Open', views: 0 })
  expect((await get(`/pages/${seen}`)).body).toMatchObject({ views: 2 })
  const views = (await get(`/pages/${seen}/views`)).body as {
    content: { number: number; issues: { id: string; rule: string; box: unknown }[] }[]
  }
  expect(views.content.map(({ number, issues }) => [number, issues.map(({ box }) => box)])).toEqual([
    [
      1,
      [
        { x: 1, y: 5, width: 20, height: 10 },
        { x: 1, y: 50, width: 20, height: 10 },
      ],
    ],
    [2, []],
  ])
  const readBytes = async (path: string) =>
    (
      await api.app.inject({
        url: `/monitor-api${path}`,
        headers: { authorization: `Bearer ${token}` },
      })
    ).rawPayload
  expect(await readBytes(`/pages/${seen}/views/2`)).toEqual(Buffer.from(below!))
  const [issue] = views.content[0]!.issues
  expect(await readBytes(`/issues/${issue!.id}/picture`)).toEqual(Buffer.from(top!))
  expect((await get(`/pages/${seen}/views/3`)).status).toBe(404)
  expect((await get(`/pages/${seen}/views/0`)).status).toBe(400)
  expect((await get(`/pages/${bare}/views`)).body).toEqual({ content: [] })
})

it('returns changes of each page since the previous run, while that run has its pages', async () => {
  const createPageWith = (...keys: string[]) => buildCompleted(keys.map((key) => buildFinding(key)))
  const review = buildFinding('r', { severity: 'needs review' })
  const first = await recordRun(
    api,
    undefined,
    { same: createPageWith('a'), more: createPageWith('a'), less: createPageWith('a', 'b'), gone: createPageWith('a') },
    'Changes of pages',
  )
  const token = await api.token('runner', ['access', 'admin'])
  type Listed = { id: string; url: string; change: { isNew: boolean; openIssues: number } | null }
  const listPages = async (run: number) => {
    const path = `/pages?scanId=${first.scanId}&runNumber=${run}&sort=change,desc`
    return ((await api.call('GET', path, { token })).body as { content: Listed[] }).content
  }
  const listChanges = async (run: number) => (await listPages(run)).map(({ url, change }) => [url.split('/').at(-1), change])
  expect((await listChanges(1)).map(([, change]) => change)).toEqual([null, null, null, null])
  await recordRun(api, first.scanId, {
    same: buildCompleted([buildFinding('a'), review]),
    more: createPageWith('a', 'b', 'c', 'd'),
    less: createPageWith('b'),
    added: createPageWith('a', 'b'),
  })
  const createChange = (openIssues: number, isNew = false) => ({ previousNumber: 1, isNew, openIssues })
  const expected = [
    ['more', createChange(3)],
    ['added', createChange(2, true)],
    ['same', createChange(0)],
    ['less', createChange(-1)],
  ]
  expect(await listChanges(2)).toEqual(expected)
  const [more] = await listPages(2)
  expect((await api.call('GET', `/pages/${more!.id}`, { token })).body).toMatchObject({ change: createChange(3) })
  await archiveRun(api, first.id)
  expect((await listChanges(2)).map(([, none]) => none)).toEqual([null, null, null, null])
})

it('sums pages up by folder, with the score of a run, as far as they match the filter', async () => {
  const critical = buildCompleted([buildFinding('a')])
  const paths = {
    '': critical,
    'blog/': buildCompleted(),
    'blog/a': critical,
    'blog/2026/b?p=/x/': buildCompleted(),
    'shop/c#/d/': critical,
  }
  const run = await recordRun(api, undefined, paths, 'Folders')
  const token = await api.token('runner', ['access', 'admin'])
  type Folder = { path: string | null; pages: number; score: number; openIssues: { critical: number }; hasFolders: boolean }
  const list = async (query: string) => {
    const { body } = await api.call('GET', `/pages/folders?scanId=${run.scanId}&${query}`, { token })
    const { content, page } = body as { content: Folder[]; page: { totalElements: number } }
    expect(page.totalElements).toBe(content.length)
    return content.map(({ path, pages, score, openIssues, hasFolders }) => [path, pages, score, openIssues.critical, hasFolders])
  }
  const [[site, ...figures]] = (await list('')) as [[string, number]]
  const overview = (await api.call('GET', `/scans/${run.scanId}/runs/1/overview`, { token })).body as { score: number }
  expect(figures).toEqual([5, overview.score, 3, true])
  expect(await list(`parent=${site}`)).toEqual([
    [null, 1, 0, 1, false],
    [`${site}blog/`, 3, 0.6667, 1, true],
    [`${site}shop/`, 1, 0, 1, false],
  ])
  expect(await list(`parent=${site}blog/`)).toEqual([
    [null, 2, 0.5, 1, false],
    [`${site}blog/2026/`, 1, 1, 0, false],
  ])
  expect(await list(`parent=${site}&health=good`)).toEqual([[`${site}blog/`, 2, 1, 0, true]])
  expect(await list(`parent=${site}none/`)).toEqual([])
  const stranger = await api.token('folder-stranger', ['access'])
  expect(((await api.call('GET', '/pages/folders', { token: stranger })).body as { content: unknown[] }).content).toEqual([])
})

it('tells by folder what was tested, what was not and why, and the structures of its pages', async () => {
  const buildPage = (template: string, findings: Finding[] = []): PageOutcome => ({
    ...(buildCompleted(findings) as Extract<PageOutcome, { kind: 'completed' }>),
    signature: { content: template, masked: template, template, isUnlisted: false, isSeparate: true },
  })
  const exclude = (reason: 'robots' | 'over-limit'): PageOutcome => ({ kind: 'excluded', reason, detail: 'Rule', durationMs: 0 })
  const outcomes = {
    'news/a': buildPage('article'),
    'news/b?p=/x/': buildPage('article', [buildFinding('a')]),
    'news/c': buildPage('list'),
    'news/2026/d': buildPage('year'),
    'news/plain': buildCompleted(),
    'news/gone': { kind: 'failed', reason: 'http-404', detail: 'HTTP 404', durationMs: 1 } satisfies PageOutcome,
    'news/2026/e': exclude('robots'),
    'shop/f': exclude('over-limit'),
    'shop/g': exclude('over-limit'),
    'shop/h': exclude('robots'),
  }
  const run = await recordRun(api, undefined, outcomes, 'Sections')
  const token = await api.token('runner', ['access', 'admin'])
  const read = async <T>(path: string) =>
    ((await api.call('GET', `/pages/${path}&scanId=${run.scanId}`, { token })).body as { content: T[] }).content
  const [site] = await read<{ path: string }>('folders?size=1')
  expect(await read(`folders?parent=${site!.path}`)).toMatchObject([
    {
      path: `${site!.path}news/`,
      pages: 7,
      tested: 5,
      templates: 3,
      untested: [
        { reason: 'http-404', urls: 1 },
        { reason: 'robots', urls: 1 },
      ],
    },
    {
      path: `${site!.path}shop/`,
      pages: 3,
      tested: 0,
      templates: 0,
      score: null,
      untested: [
        { reason: 'over-limit', urls: 2 },
        { reason: 'robots', urls: 1 },
      ],
    },
  ])
  type Template = { template: string | null; pages: number; score: number; example: { url: string } }
  const templates = await read<Template>(`templates?parent=${site!.path}news/`)
  expect(templates.map(({ template, pages, score, example }) => [template, pages, score, example.url])).toEqual([
    ['article', 2, 0.5, `${site!.path}news/b?p=/x/`],
    ['list', 1, 1, `${site!.path}news/c`],
    [null, 1, 1, `${site!.path}news/plain`],
  ])
})

it('finds pages and issues by a URL as people read it', async () => {
  const pages = {
    'l%C3%B6schen': buildCompleted([buildFinding('a')]),
    'caf%c3%a9': buildCompleted([buildFinding('b')]),
    'my%20docs': buildCompleted(),
  }
  const run = await recordRun(api, undefined, pages, 'Readable')
  const token = await api.token('runner', ['access', 'admin'])
  const count = async (path: string, search: string) => {
    const reply = await api.call('GET', `${path}?scanId=${run.scanId}&search=${encodeURIComponent(search)}`, { token })
    expect(reply.status, JSON.stringify(reply.body)).toBe(200)
    return (reply.body as { page: { totalElements: number } }).page.totalElements
  }
  for (const search of [
    'löschen',
    'lo\u0308schen',
    'l%C3%B6sch',
    'LÖSCHEN',
    'café',
    'my docs',
    'my%20docs',
    'HTTPS://Example.org:443/lö',
  ])
    expect([search, await count('/pages', search)]).toEqual([search, 1])
  expect([await count('/issues', 'löschen'), await count('/issues', 'café'), await count('/pages', 'löschung')]).toEqual([
    1, 1, 0,
  ])
})
