import { beforeAll, describe, expect, it } from 'vitest'
import { buildScanBody, useTestApi } from '../../../../test/api.ts'
import { taskScript } from '../../../../test/world.ts'
import { buildCompleted, buildFinding, recordRun } from '../../../../test/run.ts'

const api = useTestApi()
let admin: string
const scans: string[] = []
const sessionScript = taskScript.replace('          - analyze', '          - click element "a"')
beforeAll(async () => {
  admin = await api.token('admin', ['access', 'admin'])
  for (const name of ['One', 'Two', 'Three']) {
    const createdScan = await api.call('POST', '/scans', { token: admin, body: buildScanBody(name) })
    scans.push((createdScan.body as { id: string }).id)
  }
})

const createResource = async (path: string, body: object) =>
  ((await api.call('POST', path, { token: admin, body })).body as { id: string }).id
const createScript = (name: string, type: 'TASK' | 'SESSION') =>
  createResource('/scripts', { name, type, text: type === 'TASK' ? taskScript : sessionScript })
const patchScans = async (body: object) => (await api.call('PATCH', '/bulk/scans', { token: admin, body })).body as unknown
const listScripts = async (id: string) =>
  (await api.call('GET', `/scans/${id}/settings`, { token: admin })).body as {
    settings: { scripts: { shared: string[] }; presetId: string | null }
    version: number
  }

describe('many scans', () => {
  it('get shared scripts: tasks are added, a session script replaces the previous one', async () => {
    const [task, first, second] = [
      await createScript('T', 'TASK'),
      await createScript('S1', 'SESSION'),
      await createScript('S2', 'SESSION'),
    ]
    const all = { selectAllMode: true, deselectedScans: [scans[2]], filters: { everything: true }, expectedCount: 2 }
    expect(await patchScans({ ...all, sharedTaskScripts: [task], sharedSessionScript: first })).toMatchObject({ changed: 2 })
    expect((await listScripts(scans[0]!)).settings.scripts.shared.toSorted()).toEqual([task, first].toSorted())
    await patchScans({ ...all, sharedSessionScript: second })
    const now = await listScripts(scans[1]!)
    expect(now.settings.scripts.shared.toSorted()).toEqual([task, second].toSorted())
    expect(now.version).toBe(3)
    expect((await listScripts(scans[2]!)).settings.scripts.shared).toEqual([])
    const selected = await api.call('POST', '/bulk/scans/selected', { token: admin, body: { selectAllMode: true } })
    expect(selected.body).toMatchObject({ count: 3, manageable: 3, withSessionScript: 2, withPreset: 0 })
    // Scripts in use cannot be deleted.
    expect((await api.call('DELETE', `/scripts/${task}`, { token: admin })).status).toBe(409)
  })

  it('get a preset if they have none, and all others are counted', async () => {
    const [preset, other] = [await createResource('/presets', { name: 'P' }), await createResource('/presets', { name: 'Q' })]
    const some = { selectAllMode: false, selectedScans: [scans[0]] }
    expect(await patchScans({ ...some, presetId: preset })).toEqual({ success: true, changed: 1, skipped: 0, ignored: 0 })
    const all = { selectAllMode: true, filters: { everything: true }, expectedCount: 3 }
    expect(await patchScans({ ...all, presetId: other })).toEqual({ success: true, changed: 2, skipped: 0, ignored: 1 })
    expect((await listScripts(scans[0]!)).settings.presetId).toBe(preset)
    const listed = (await api.call('GET', `/scan/withPresets?presetId=${other}`, { token: admin })).body
    expect(listed).toMatchObject({ page: { totalElements: 2 }, content: [{ presetName: 'Q' }, { presetName: 'Q' }] })
  })

  it('accept only existing scripts of the right type', async () => {
    const task = await createScript('T2', 'TASK')
    const ghost = '01900000-0000-7000-8000-000000000000'
    const errors = async (body: object) =>
      ((await patchScans({ selectedScans: scans, ...body })) as { errors: { path: string; code: string }[] }).errors
    expect(await errors({ sharedSessionScript: task })).toMatchObject([{ path: 'sharedSessionScript', code: 'unknown-value' }])
    expect(await errors({ sharedTaskScripts: [ghost] })).toMatchObject([{ path: 'sharedTaskScripts.0' }])
    expect(await errors({ presetId: ghost })).toMatchObject([{ path: 'presetId' }])
    expect(await errors({})).toMatchObject([{ code: 'required' }])
  })

  it('are marked as favorites, sorted by issues and pages, and deleted where the role allows', async () => {
    await recordRun(api, scans[0], { a: buildCompleted([buildFinding('a'), buildFinding('b')]) })
    await recordRun(api, scans[1], {
      a: buildCompleted([buildFinding('a')]),
      b: buildCompleted([buildFinding('b', { html: '<p>' })]),
    })
    const names = async (query: string) =>
      ((await api.call('GET', `/scans?${query}`, { token: admin })).body as { content: { name: string }[] }).content.map(
        ({ name }) => name,
      )
    expect((await names('sort=criticalIssues,desc&sort=name,asc')).slice(0, 2)).toEqual(['One', 'Two'])
    expect((await names('sort=criticalPages,desc'))[0]).toBe('Two')
    const mark = { selectAllMode: true, filters: { search: 'Th' }, favorite: true }
    await api.call('POST', '/bulk/scans/config', { token: admin, body: mark })
    expect(await names('favorites=true')).toEqual(['Three'])
    await api.call('POST', '/bulk/scans/config', { token: admin, body: { ...mark, favorite: false } })
    expect(await names('favorites=true')).toEqual([])
    await api.db
      .insertInto('scan_access')
      .values({ id: scans[0]!, scan_id: scans[0]!, group_id: null, team_id: null, person_id: 'member', role: 'scanMember' })
      .execute()
    const body = { selectAllMode: true, filters: { everything: true } }
    const byMember = await api.call('POST', '/bulk/scans/delete', {
      token: await api.token('member'),
      body: { ...body, expectedCount: 1 },
    })
    expect(byMember.body).toEqual({ success: true, changed: 0, skipped: 1 })
    const byAdmin = await api.call('POST', '/bulk/scans/delete', { token: admin, body: { ...body, expectedCount: 3 } })
    expect(byAdmin.body).toEqual({ success: true, changed: 3, skipped: 0 })
    expect(await names('')).toEqual([])
  })
})

describe('tags and runs of many scans', () => {
  const scanIds: string[] = []
  beforeAll(async () => {
    for (const name of ['Red', 'Green', 'Blue']) scanIds.push(await createResource('/scans', buildScanBody(`Tagged ${name}`)))
  })
  type Listed = { content: { name: string; tags: string[] }[] }
  const listScans = async (query: string, token = admin) =>
    ((await api.call('GET', `/scans?sort=name,asc&search=Tagged&${query}`, { token })).body as Listed).content
  const tagScans = async (body: object, token = admin) =>
    (await api.call('POST', '/bulk/scans/tags', { token, body })).body as object

  it('are added and removed, listed and filtered by, and do not affect the settings', async () => {
    const all = { selectedScans: scanIds }
    expect(await tagScans({ ...all, add: ['shop', ' beta ', 'shop'] })).toEqual({
      success: true,
      changed: 3,
      skipped: 0,
      ignored: 0,
    })
    await tagScans({ selectedScans: [scanIds[0]], add: ['alpha'], remove: ['shop', 'unknown'] })
    // Only scans with a change are counted.
    expect(await tagScans({ ...all, add: ['beta'], remove: ['unknown'] })).toMatchObject({ changed: 0, ignored: 0 })
    expect(await tagScans({ ...all, add: ['alpha'] })).toMatchObject({ changed: 2 })
    await tagScans({ selectedScans: scanIds.slice(1), remove: ['alpha'] })
    expect((await listScans('')).map(({ tags }) => tags)).toEqual([
      ['beta', 'shop'],
      ['beta', 'shop'],
      ['alpha', 'beta'],
    ])
    expect((await listScans('tag=alpha')).map(({ name }) => name)).toEqual(['Tagged Red'])
    expect(await listScans('tag=alpha&tag=shop')).toHaveLength(3)
    expect((await api.call('GET', '/scan/tags', { token: admin })).body).toEqual({
      content: [
        { tag: 'beta', scans: 3 },
        { tag: 'shop', scans: 2 },
        { tag: 'alpha', scans: 1 },
      ],
    })
    const stored = await api.call('GET', `/scans/${scanIds[0]}/settings`, { token: admin })
    expect(stored.body).toMatchObject({ version: 1 })
    // Combined with a filter, and limited by the maximum per scan.
    const many = Array.from({ length: 49 }, (_, n) => `t${n}`)
    expect(await tagScans({ selectAllMode: true, filters: { tag: ['shop'] }, add: many })).toMatchObject({
      changed: 0,
      ignored: 2,
    })
    expect((await api.call('POST', '/bulk/scans/tags', { token: admin, body: { ...all, add: [''] } })).status).toBe(400)
  })

  it('are all kept after concurrent changes', async () => {
    const wanted = Array.from({ length: 8 }, (_, n) => `at once ${n}`)
    await Promise.all(wanted.map((one) => tagScans({ selectedScans: scanIds, add: [one] })))
    for (const { tags } of await listScans('')) expect(tags).toEqual(expect.arrayContaining(wanted))
    await tagScans({ selectedScans: scanIds, remove: wanted })
  })

  it('require permission to see and change', async () => {
    const stranger = await api.token('stranger')
    expect(await tagScans({ selectedScans: scanIds, add: ['mine'] }, stranger)).toMatchObject({ changed: 0, skipped: 0 })
    expect((await api.call('GET', '/scan/tags', { token: stranger })).body).toEqual({ content: [] })
    await api.db
      .insertInto('scan_access')
      .values({ id: scanIds[0]!, scan_id: scanIds[0]!, group_id: null, team_id: null, person_id: 'looker', role: 'scanViewer' })
      .execute()
    const looker = await api.token('looker')
    expect(await tagScans({ selectedScans: scanIds, add: ['mine'] }, looker)).toMatchObject({ changed: 0, skipped: 1 })
    const start = await api.call('POST', '/bulk/scans/start', { token: looker, body: { selectedScans: scanIds } })
    expect(start.body).toEqual({ success: true, changed: 0, skipped: 1, active: 0, overQuota: 0 })
  })

  it('start runs of scans without an active one, up to the quota', async () => {
    const start = async () =>
      (await api.call('POST', '/bulk/scans/start', { token: admin, body: { selectedScans: scanIds } })).body
    await api.call('POST', `/scans/${scanIds[0]}/startRun`, { token: admin })
    expect(await start()).toEqual({ success: true, changed: 2, skipped: 0, active: 1, overQuota: 0 })
    expect(await start()).toEqual({ success: true, changed: 0, skipped: 0, active: 3, overQuota: 0 })
    const { version, ...quotas } = (await api.call('GET', '/system-settings/quotas', { token: admin })).body as {
      version: number
    }
    await api.call('PUT', '/system-settings/quotas', { token: admin, body: { ...quotas, runs: 1, version } })
    for (const id of scanIds) await api.call('POST', `/scans/${id}/cancel`, { token: admin })
    expect(await start()).toEqual({ success: true, changed: 1, skipped: 0, active: 0, overQuota: 2 })
    // The settings of the first scan by name are damaged; the next one starts nevertheless.
    await api.call('POST', `/scans/${scanIds[2]}/cancel`, { token: admin })
    await api.db.updateTable('scan').set({ settings: '{"type":0}' }).where('id', '=', scanIds[2]!).execute()
    expect(await start()).toEqual({ success: true, changed: 1, skipped: 1, active: 0, overQuota: 1 })
  })
})
