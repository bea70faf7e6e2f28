import { beforeAll, describe, expect, it } from 'vitest'
import { scanBody, apiOfFile } from '../../../../test/api.ts'
import { taskScript } from '../../../../test/world.ts'
import { completed, finding, wholeRun } from '../../../../test/run.ts'

const api = apiOfFile()
let admin: string
const scans: string[] = []
const sessionScript = taskScript.replace('          - analyze', '          - click element "a"')
beforeAll(async () => {
  admin = await api.token('admin', ['access', 'admin'])
  for (const name of ['One', 'Two', 'Three']) {
    const made = await api.call('POST', '/scans', { token: admin, body: scanBody(name) })
    scans.push((made.body as { id: string }).id)
  }
})

const make = async (path: string, body: object) =>
  ((await api.call('POST', path, { token: admin, body })).body as { id: string }).id
const script = (name: string, type: 'TASK' | 'SESSION') =>
  make('/scripts', { name, type, text: type === 'TASK' ? taskScript : sessionScript })
const patch = async (body: object) =>
  (await api.call('PATCH', '/bulk/scans', { token: admin, body })).body as unknown
const scriptsOf = async (id: string) =>
  (await api.call('GET', `/scans/${id}/settings`, { token: admin })).body as {
    settings: { scripts: { shared: string[] }; presetId: string | null }
    version: number
  }

describe('many scans', () => {
  it('get shared scripts: tasks are added, a session script takes the place of the one there is', async () => {
    const [task, first, second] = [
      await script('T', 'TASK'),
      await script('S1', 'SESSION'),
      await script('S2', 'SESSION'),
    ]
    const all = { selectAllMode: true, deselectedScans: [scans[2]] }
    expect(await patch({ ...all, sharedTaskScripts: [task], sharedSessionScript: first })).toMatchObject({
      changed: 2,
    })
    expect((await scriptsOf(scans[0]!)).settings.scripts.shared.toSorted()).toEqual([task, first].toSorted())
    await patch({ ...all, sharedSessionScript: second })
    const now = await scriptsOf(scans[1]!)
    expect(now.settings.scripts.shared.toSorted()).toEqual([task, second].toSorted())
    expect(now.version).toBe(3)
    expect((await scriptsOf(scans[2]!)).settings.scripts.shared).toEqual([])
    const selected = await api.call('POST', '/bulk/scans/selected', {
      token: admin,
      body: { selectAllMode: true },
    })
    expect(selected.body).toMatchObject({ count: 3, manageable: 3, withSessionScript: 2, withPreset: 0 })
    // In use, so it stays.
    expect((await api.call('DELETE', `/scripts/${task}`, { token: admin })).status).toBe(409)
  })

  it('get a preset where they have none, and the others are counted', async () => {
    const [preset, other] = [await make('/presets', { name: 'P' }), await make('/presets', { name: 'Q' })]
    const some = { selectAllMode: false, selectedScans: [scans[0]] }
    expect(await patch({ ...some, presetId: preset })).toEqual({
      success: true,
      changed: 1,
      skipped: 0,
      ignored: 0,
    })
    const all = { selectAllMode: true }
    expect(await patch({ ...all, presetId: other })).toEqual({
      success: true,
      changed: 2,
      skipped: 0,
      ignored: 1,
    })
    expect((await scriptsOf(scans[0]!)).settings.presetId).toBe(preset)
    const listed = (await api.call('GET', `/scan/withPresets?presetId=${other}`, { token: admin })).body
    expect(listed).toMatchObject({
      page: { totalElements: 2 },
      content: [{ presetName: 'Q' }, { presetName: 'Q' }],
    })
  })

  it('take only what is there, and of the right kind', async () => {
    const task = await script('T2', 'TASK')
    const ghost = '01900000-0000-7000-8000-000000000000'
    const errors = async (body: object) =>
      ((await patch({ selectAllMode: true, ...body })) as { errors: { path: string; code: string }[] }).errors
    expect(await errors({ sharedSessionScript: task })).toMatchObject([
      { path: 'sharedSessionScript', code: 'unknown-value' },
    ])
    expect(await errors({ sharedTaskScripts: [ghost] })).toMatchObject([{ path: 'sharedTaskScripts.0' }])
    expect(await errors({ presetId: ghost })).toMatchObject([{ path: 'presetId' }])
    expect(await errors({})).toMatchObject([{ code: 'required' }])
  })

  it('are marked, listed by columns of issues and pages, and deleted where the role allows', async () => {
    await wholeRun(api, scans[0], { a: completed([finding('a'), finding('b')]) })
    await wholeRun(api, scans[1], {
      a: completed([finding('a')]),
      b: completed([finding('b', { html: '<p>' })]),
    })
    const names = async (query: string) =>
      (
        (await api.call('GET', `/scans?${query}`, { token: admin })).body as { content: { name: string }[] }
      ).content.map(({ name }) => name)
    expect((await names('sort=criticalIssues,desc&sort=name,asc')).slice(0, 2)).toEqual(['One', 'Two'])
    expect((await names('sort=criticalPages,desc'))[0]).toBe('Two')
    const mark = { selectAllMode: true, filters: { search: 'Th' }, favorite: true }
    await api.call('POST', '/bulk/scans/config', { token: admin, body: mark })
    expect(await names('favorites=true')).toEqual(['Three'])
    await api.call('POST', '/bulk/scans/config', { token: admin, body: { ...mark, favorite: false } })
    expect(await names('favorites=true')).toEqual([])
    await api.db
      .insertInto('scan_access')
      .values({
        id: scans[0]!,
        scan_id: scans[0]!,
        group_id: null,
        team_id: null,
        person_id: 'member',
        role: 'scanMember',
      })
      .execute()
    const body = { selectAllMode: true }
    const byMember = await api.call('POST', '/bulk/scans/delete', { token: await api.token('member'), body })
    expect(byMember.body).toEqual({ success: true, changed: 0, skipped: 1 })
    const byAdmin = await api.call('POST', '/bulk/scans/delete', { token: admin, body })
    expect(byAdmin.body).toEqual({ success: true, changed: 3, skipped: 0 })
    expect(await names('')).toEqual([])
  })
})
