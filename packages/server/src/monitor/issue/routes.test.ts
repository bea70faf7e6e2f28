import { beforeAll, describe, expect, it } from 'vitest'
import { useTestApi } from '../../../test/api.ts'
import { buildCompleted, buildFinding, type TestRun, recordRun } from '../../../test/run.ts'

const api = useTestApi()
let admin: string
beforeAll(async () => {
  admin = await api.token('admin', ['access', 'admin'])
})

type Issue = { id: string; selector: string; status: string; severity: string; version: number; change: string }
type List = { content: Issue[]; page: { totalElements: number } }
const listIssues = async (run: TestRun, query = ''): Promise<List> =>
  (await api.call('GET', `/issues?scanId=${run.scanId}&size=500${query}`, { token: admin })).body
const findIssueByKey = async (run: TestRun, key: string): Promise<Issue> =>
  (await listIssues(run, '&change=new&change=still&change=back&change=fixed')).content.find(({ selector }) =>
    selector.startsWith(`img.${key}`),
  )!
const patchIssue = (id: string, fields: object, version?: number, token = admin) =>
  api.call('PATCH', `/issues/${id}`, { token, body: { fieldsToUpdate: fields, version } })
const readOverview = async (run: TestRun) =>
  (await api.call('GET', `/scans/${run.scanId}/runs/${run.number}/overview`, { token: admin })).body as {
    openIssues: Record<string, number>
    score: number
    totalIssues: number
  }
const reviewFinding = (key: string) =>
  buildFinding(key, { rule: 'label', severity: 'needs review', impact: 'serious', html: `<b>${key}</b>` })

describe('one issue', () => {
  it('lists each other page with the same element once', async () => {
    const often = buildCompleted(['a', 'b', 'c'].map((key) => buildFinding(key)))
    const run = await recordRun(api, undefined, { own: often, second: often, third: often }, 'Elsewhere')
    const { content } = await listIssues(run)
    expect(content).toHaveLength(9)
    for (const { id } of content) {
      const { pageUrl, otherPages } = (await api.call('GET', `/issues/${id}`, { token: admin })).body as {
        pageUrl: string
        otherPages: { url: string }[]
      }
      const urls = ['own', 'second', 'third'].map((key) => `https://example.org/${key}`)
      expect(otherPages.map(({ url }) => url)).toEqual(urls.filter((url) => url !== pageUrl))
    }
  })

  it('updates counts and score when marked or unmarked as an issue', async () => {
    const run = await recordRun(
      api,
      undefined,
      { a: buildCompleted([reviewFinding('r')]), b: buildCompleted([buildFinding('i')]) },
      'Marks',
    )
    expect(await readOverview(run)).toMatchObject({ openIssues: { critical: 1, serious: 0, needsReview: 1 }, score: 0.5 })
    const doubt = await findIssueByKey(run, 'r')
    expect((await patchIssue(doubt.id, { markAsIssue: true })).body).toMatchObject({ severity: 'serious', markedAsIssue: true })
    expect(await readOverview(run)).toMatchObject({ openIssues: { serious: 1, needsReview: 0 }, score: 0.2 })
    const real = await findIssueByKey(run, 'i')
    expect((await patchIssue(real.id, { markAsIssue: false })).body).toMatchObject({ status: 'none', markedAsIssue: false })
    expect(await readOverview(run)).toMatchObject({ openIssues: { critical: 0, serious: 1 }, score: 0.7 })
    // The next run keeps the decisions.
    const next = await recordRun(api, run.scanId, {
      a: buildCompleted([reviewFinding('r')]),
      b: buildCompleted([buildFinding('i')]),
    })
    expect(await readOverview(next)).toMatchObject({ openIssues: { critical: 0, serious: 1, needsReview: 0 }, score: 0.7 })
    await patchIssue(doubt.id, { markAsIssue: false })
    await patchIssue(real.id, { markAsIssue: true })
    expect(await readOverview(next)).toMatchObject({ openIssues: { critical: 1, serious: 0, needsReview: 1 }, score: 0.5 })
    expect(await readOverview(run)).toMatchObject({ openIssues: { serious: 1 } })
  })

  it('refuses the second of two concurrent changes', async () => {
    const run = await recordRun(api, undefined, { a: buildCompleted([buildFinding('a')]) }, 'Versions')
    const { id, version } = (await api.call('GET', `/issues/${(await findIssueByKey(run, 'a')).id}`, { token: admin }))
      .body as Issue
    expect((await patchIssue(id, { status: 'ignored' }, version)).status).toBe(200)
    const late = await patchIssue(id, { status: 'fixed' }, version)
    expect([late.status, (late.body as { code: string }).code]).toEqual([409, 'edit-conflict'])
    expect((await patchIssue(id, {})).status).toBe(400)
    // The maximum of the column is a valid but outdated version; larger numbers are invalid.
    expect((await patchIssue(id, { status: 'fixed' }, 2 ** 31 - 1)).status).toBe(409)
    expect((await patchIssue(id, { status: 'fixed' }, 2 ** 31)).status).toBe(400)
  })

  it('is only assigned to people who can see it', async () => {
    const run = await recordRun(api, undefined, { a: buildCompleted([buildFinding('a')]) }, 'Assigning')
    const { id } = await findIssueByKey(run, 'a')
    expect((await patchIssue(id, { assignedTo: 'nobody-at-all' })).body).toMatchObject({
      errors: [{ path: 'fieldsToUpdate.assignedTo', code: 'unknown-value' }],
    })
    expect((await patchIssue(id, { assignedTo: 'someone' })).body).toMatchObject({ assignedTo: { id: 'someone' } })
    expect((await listIssues(run, '&assignedTo=someone')).content).toHaveLength(1)
    expect((await listIssues(run, '&assignedTo=')).content).toHaveLength(0)
    expect((await patchIssue(id, { assignedTo: null })).body).toMatchObject({ assignedTo: null })
  })

  it('has a ticket URL, http without credentials, which is hidden from guests', async () => {
    const run = await recordRun(api, undefined, { a: buildCompleted([buildFinding('a')]) }, 'Tickets')
    const { id } = await findIssueByKey(run, 'a')
    const patchTicketUrl = async (ticketUrl: string) =>
      ((await patchIssue(id, { ticketUrl })).body as { errors: { path: string; code: string }[] }).errors
    for (const [url, code] of [
      ['', 'bad-url'],
      ['ticket 7', 'bad-url'],
      ['https://t.example.org/a b', 'bad-url'],
      ['javascript:alert(1)', 'url-scheme'],
      ['ftp://t.example.org/7', 'url-scheme'],
      ['https://me:secret@t.example.org/7', 'url-credentials'],
      [`https://t.example.org/${'7'.repeat(2000)}`, 'too-long'],
    ] as const)
      expect([url, await patchTicketUrl(url)]).toEqual([
        url,
        [expect.objectContaining({ path: 'fieldsToUpdate.ticketUrl', code })],
      ])
    const ticketUrl = 'https://t.example.org/browse/WEB-7?x=1#c2'
    expect((await patchIssue(id, { ticketUrl: ` ${ticketUrl} ` })).body).toMatchObject({ ticketUrl })
    expect((await listIssues(run)).content).toMatchObject([{ ticketUrl }])
    const many = await api.call('PATCH', '/bulk/issues', {
      token: admin,
      body: {
        filters: { scanId: [run.scanId] },
        selected: { selectAllMode: true },
        fieldsToUpdate: { ticketUrl: 'http://t.example.org/8' },
      },
    })
    expect(many.body).toMatchObject({ changed: 1 })
    const { token } = (await api.call('POST', `/scans/${run.scanId}/public-token`, { token: admin, body: {} })).body as {
      token: string
    }
    const seen = await api.call('GET', `/issues/${id}`, { guest: token })
    expect([seen.status, seen.body]).toEqual([200, expect.objectContaining({ ticketUrl: null })])
    expect((await patchIssue(id, { ticketUrl: null })).body).toMatchObject({ ticketUrl: null })
  })

  it('returns its history by run, newest first', async () => {
    const run = await recordRun(api, undefined, { a: buildCompleted([buildFinding('a')]) }, 'History')
    const { id } = await findIssueByKey(run, 'a')
    await recordRun(api, run.scanId, { a: buildCompleted([]) })
    await recordRun(api, run.scanId, { a: buildCompleted([buildFinding('a')]) })
    const { body } = await api.call('GET', `/issues/${id}/history`, { token: admin })
    const { content } = body as { content: { runNumber: number; change: string; endedAt: string | null }[] }
    expect(content.map(({ runNumber, change }) => [runNumber, change])).toEqual([
      [3, 'back'],
      [2, 'fixed'],
      [1, 'new'],
    ])
    expect(content.every(({ endedAt }) => endedAt !== null)).toBe(true)
  })

  it('keeps labels and comments from run to run', async () => {
    const run = await recordRun(api, undefined, { a: buildCompleted([buildFinding('a')]) }, 'Talk')
    const { id } = await findIssueByKey(run, 'a')
    await api.call('POST', `/issues/${id}/labels`, { token: admin, body: { labels: ['b', 'a', 'b'] } })
    const added = await api.call('POST', `/issues/${id}/comments`, { token: admin, body: { text: ' Fix it ' } })
    expect(added.body).toMatchObject({ text: 'Fix it', canDelete: true, author: { name: 'admin Test' } })
    expect((await api.call('POST', `/issues/${id}/comments`, { token: admin, body: { text: ' ' } })).status).toBe(400)
    expect((await api.call('POST', `/issues/${id}/labels`, { token: admin, body: { labels: [' '] } })).status).toBe(400)
    await recordRun(api, run.scanId, { a: buildCompleted([buildFinding('a')]) })
    expect((await listIssues(run, '&label=a')).content).toMatchObject([{ id, labels: ['a', 'b'], change: 'still' }])
    const comments = (await api.call('GET', `/issues/${id}/comments`, { token: admin })).body as { content: { id: string }[] }
    const commentPath = `/issues/${id}/comments/${comments.content[0]!.id}`
    const edit = (token: string, text: string) => api.call('PATCH', commentPath, { token, body: { text } })
    expect((await edit(admin, ' Fix it soon ')).body).toMatchObject({ text: 'Fix it soon', canEdit: true })
    expect((await edit(admin, ' ')).status).toBe(400)
    // Permission to delete a comment does not include permission to edit it.
    const other = await api.token('other-admin', ['access', 'admin'])
    expect((await edit(other, 'Never mind')).status).toBe(404)
    const now = (await api.call('GET', `/issues/${id}/comments`, { token: other })).body as { content: object[] }
    expect(now.content).toMatchObject([{ text: 'Fix it soon', canDelete: true, canEdit: false }])
    expect(now.content[0]).toHaveProperty('editedAt', expect.any(String))
    expect((await api.call('DELETE', commentPath, { token: admin })).status).toBe(204)
    expect((await api.call('DELETE', commentPath, { token: admin })).status).toBe(404)
  })
})

describe('an ignore', () => {
  const createPages = (more: string[] = []) =>
    Object.fromEntries(
      ['a', 'b', ...more].map((key) => [
        key,
        buildCompleted([
          buildFinding('same', { html: `<img alt data-${key}>` }),
          buildFinding(`own-${key}`, { elementPattern: `img ${key}` }),
          buildFinding(`other-${key}`, { rule: 'label', elementPattern: 'p', html: '<p>' }),
        ]),
      ]),
    )

  it.each([
    // On page c only issues covered by the ignore start as ignored: none, the same element, none, the whole rule.
    ['issue', 1, 1],
    ['group', 2, 3],
    ['rule-on-page', 2, 2],
    ['rule', 4, 6],
  ])('of the scope %s covers the right issues, including new ones', async (scope, covered, later) => {
    const run = await recordRun(api, undefined, createPages(), `Ignore ${scope}`)
    const { id } = (await listIssues(run, '&rule=image-alt')).content.find(({ selector }) => selector.startsWith('img.same'))!
    const reply = await patchIssue(id, { status: 'ignored', ignore: { scope, reason: 'By design' } })
    expect(reply.body).toMatchObject({ ignore: { scope, reason: 'By design', author: { id: 'admin' } } })
    const countIgnored = async () => (await listIssues(run, '&status=ignored')).page.totalElements
    expect(await countIgnored()).toBe(covered)
    await recordRun(api, run.scanId, createPages(['c']))
    expect(await countIgnored()).toBe(later)
    const listedIgnores = (await api.call('GET', `/scans/${run.scanId}/ignores`, { token: admin })).body as {
      content: { id: string; issues: number }[]
    }
    if (scope === 'issue') return expect(listedIgnores.content).toEqual([])
    expect(listedIgnores.content).toMatchObject([{ issues: later }])
    await api.call('DELETE', `/scans/${run.scanId}/ignores/${listedIgnores.content[0]!.id}`, { token: admin })
    return expect(await countIgnored()).toBe(0)
  })
})

describe('many issues', () => {
  const createPage = (count: number) => buildCompleted(Array.from({ length: count }, (_, n) => buildFinding(`m${n}`)))

  it('are changed and deleted by filters, except the deselected ones', async () => {
    const run = await recordRun(api, undefined, { a: createPage(5), b: buildCompleted([reviewFinding('x')]) }, 'Bulk')
    const [first, second] = (await listIssues(run, '&severity=critical')).content
    const filters = { scanId: [run.scanId], severity: ['critical'] }
    const body = { filters, selected: { selectAllMode: true, deselectedIssues: [first!.id] } }
    const bulk = (method: 'PATCH' | 'POST', path: string, more: object) =>
      api.call(method, `/bulk/issues${path}`, { token: admin, body: { ...body, ...more } })
    expect((await bulk('POST', '/getSelectedIssuesCount', {})).body).toEqual({
      count: 4,
      scans: 1,
      scanNames: ['Bulk'],
      middle: null,
    })
    const changed = await bulk('PATCH', '', { fieldsToUpdate: { status: 'ignored', addLabels: ['later'] } })
    expect(changed.body).toMatchObject({ success: true, changed: 4, skipped: 0 })
    expect(await readOverview(run)).toMatchObject({ openIssues: { critical: 1, needsReview: 1 }, totalIssues: 6 })
    const named = { filters: {}, selected: { selectedIssues: [second!.id] } }
    await api.call('POST', '/bulk/issues/delete', { token: admin, body: named })
    expect((await listIssues(run)).page.totalElements).toBe(5)
    expect(await readOverview(run)).toMatchObject({ totalIssues: 5 })
    expect((await api.call('GET', `/issues/${second!.id}`, { token: admin })).status).toBe(404)
  })

  it('are skipped and counted where the role does not suffice', async () => {
    const run = await recordRun(api, undefined, { a: createPage(3) }, 'Reach')
    await api.db
      .insertInto('scan_access')
      .values({ id: run.id, scan_id: run.scanId, group_id: null, team_id: null, person_id: 'onlooker', role: 'scanViewer' })
      .execute()
    const token = await api.token('onlooker')
    const callBulk = (method: 'PATCH' | 'POST', path: string, more: object = {}) =>
      api.call(method, path, { token, body: { filters: { scanId: [run.scanId] }, selected: { selectAllMode: true }, ...more } })
    const mark = { fieldsToUpdate: { markAsIssue: false } }
    expect((await callBulk('PATCH', '/bulk/issues', mark)).body).toMatchObject({ success: true, changed: 0, skipped: 3 })
    expect((await callBulk('POST', '/bulk/issues/delete')).body).toEqual({ success: true, changed: 0, skipped: 3, next: null })
    const status = { fieldsToUpdate: { status: 'fixed' } }
    expect((await callBulk('PATCH', '/bulk/issues', status)).body).toMatchObject({ success: true, changed: 3, skipped: 0 })
    const { id } = (await listIssues(run, '&status=fixed')).content[0]!
    expect((await patchIssue(id, { markAsIssue: true }, undefined, token)).status).toBe(403)
  })
})

describe('pages', () => {
  it('are deleted with their findings, and the run is recounted', async () => {
    const run = await recordRun(api, undefined, { a: buildCompleted([buildFinding('a')]), b: buildCompleted() }, 'Pages')
    const { content } = (await api.call('GET', `/pages?scanId=${run.scanId}&health=critical`, { token: admin })).body as List
    expect(await readOverview(run)).toMatchObject({ score: 0.5, pages: { completed: 2 } })
    expect((await api.call('DELETE', `/pages/${content[0]!.id}`, { token: admin })).status).toBe(204)
    expect(await readOverview(run)).toMatchObject({ score: 1, pages: { completed: 1, found: 1 }, totalIssues: 0 })
    expect((await listIssues(run)).page.totalElements).toBe(0)
  })
})

describe('lists', () => {
  it('from run counters equal lists that count findings', async () => {
    const createFindings = (n: number) =>
      buildCompleted([
        buildFinding(`t${n}`, { elementPattern: `p${n % 3}` }),
        buildFinding(`u${n}`, { elementPattern: 'u', severity: 'minor', impact: 'minor', rule: 'region', html: '<i>' }),
        reviewFinding(`v${n}`),
      ])
    const createPages = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, createFindings(n)]))
    const scans = [
      (await recordRun(api, undefined, createPages(7), 'Counted one')).scanId,
      (await recordRun(api, undefined, createPages(4), 'Counted two')).scanId,
    ]
    const listAllPages = async (query: string) => {
      const issueIds: string[] = []
      let total = -1
      for (let page = 0; page < 12; page++) {
        const path = `/issues?${scans.map((id) => `scanId=${id}`).join('&')}&status=open&size=3&page=${page}${query}`
        const { content, page: paged } = (await api.call('GET', path, { token: admin })).body as List
        issueIds.push(...content.map(({ id }) => id))
        total = paged.totalElements
      }
      return { total, found: issueIds }
    }
    // A date filter that excludes nothing forces the slow path.
    const counting = '&createdFrom=2020-01-01T00:00:00Z'
    for (const query of ['', '&grouped=true', '&severity=minor&severity=critical', '&sort=severity,desc']) {
      const plain = await listAllPages(query)
      const counted = await listAllPages(query + counting)
      expect(plain.total, query).toBe(counted.total)
      expect(new Set(plain.found).size).toBe(plain.total)
      if (!query.includes('grouped')) expect(plain.found, query).toEqual(counted.found)
      else expect(plain.found.toSorted(), query).toEqual(counted.found.toSorted())
    }
  })
})
