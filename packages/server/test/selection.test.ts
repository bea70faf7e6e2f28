import { beforeAll, describe, expect, it } from 'vitest'
import { buildScanBody, useTestApi } from './api.ts'
import { buildCompleted, buildFinding, recordRun } from './run.ts'

// A forgotten filter must not change or delete everything that a person may see.

const api = useTestApi()
let admin: string
beforeAll(async () => {
  admin = await api.token('admin', ['access', 'admin'])
  const pages = { a: buildCompleted([buildFinding('a'), buildFinding('b')]), b: buildCompleted([buildFinding('a')]) }
  await recordRun(api, undefined, pages, 'Kept')
  await api.call('POST', '/scans', { token: admin, body: buildScanBody('Kept, too') })
})

type Body = Record<string, unknown>
/** Every call that changes what is selected, with the name of its selection and its number of rows. */
const changes: Record<string, { method: 'PATCH' | 'POST'; path: string; count: number; build: (selection: Body) => Body }> = {
  'change issues': {
    method: 'PATCH',
    path: '/bulk/issues',
    count: 3,
    build: (selection) => ({ ...nestSelection(selection), fieldsToUpdate: { status: 'fixed' } }),
  },
  'delete issues': { method: 'POST', path: '/bulk/issues/delete', count: 3, build: (selection) => nestSelection(selection) },
  'delete pages': { method: 'POST', path: '/bulk/pages/delete', count: 2, build: (selection) => nestSelection(selection) },
  'start scans': { method: 'POST', path: '/bulk/scans/start', count: 2, build: (selection) => selection },
  'tag scans': {
    method: 'POST',
    path: '/bulk/scans/tags',
    count: 2,
    build: (selection) => ({ ...selection, add: ['x'], remove: [] }),
  },
  'mark scans': {
    method: 'POST',
    path: '/bulk/scans/config',
    count: 2,
    build: (selection) => ({ ...selection, favorite: true }),
  },
  'delete scans': { method: 'POST', path: '/bulk/scans/delete', count: 2, build: (selection) => selection },
}
const nestSelection = ({ selectAllMode, ...rest }: Body) => ({ ...rest, selected: { selectAllMode } })

describe.each(Object.entries(changes))('%s', (_name, { method, path, count, build }) => {
  const send = async (selection: Body) =>
    (await api.call(method, path, { token: admin, body: build({ selectAllMode: true, ...selection }) })).body as Body

  it.each([
    ['no filters', {}],
    ['empty filters', { filters: {} }],
    ['an empty list', { filters: path.includes('scans') ? { tag: [] } : { scanId: [] } }],
    ['a blank search', { filters: { search: '  ' } }],
    ['a count alone', { expectedCount: count }],
  ])('refuses everything with %s', async (_case, selection) =>
    expect(await send(selection)).toMatchObject({ code: 'validation-failed', errors: [{ path: 'filters', code: 'required' }] }),
  )

  it('refuses everything without its number, and with another one', async () => {
    expect(await send({ filters: { everything: true } })).toMatchObject({ errors: [{ path: 'expectedCount', code: 'required' }] })
    const refused = await send({ filters: { everything: true }, expectedCount: count + 1 })
    expect(refused).toMatchObject({ code: 'edit-conflict', detail: `The selection has ${count} rows now, not ${count + 1}.` })
    expect(await send({ filters: { search: 'kept nowhere' }, expectedCount: 1 })).toMatchObject({ code: 'edit-conflict' })
  })

  it('changes what a filter selects', async () =>
    expect(await send({ filters: { search: 'kept nowhere' } })).toMatchObject({ success: true, changed: 0 }))
})

it('takes a filter that is false for one', async () => {
  const body = { selectAllMode: true, filters: { running: true, tag: [] }, add: ['y'], remove: [] }
  expect((await api.call('POST', '/bulk/scans/tags', { token: admin, body })).body).toMatchObject({ success: true, changed: 0 })
  const offBody = { ...body, filters: { favorites: false, mine: false } }
  expect((await api.call('POST', '/bulk/scans/tags', { token: admin, body: offBody })).body).toMatchObject({
    errors: [{ path: 'filters' }],
  })
  const idleBody = { ...body, filters: { running: false } }
  expect((await api.call('POST', '/bulk/scans/tags', { token: admin, body: idleBody })).body).toMatchObject({ changed: 2 })
})

it('changes everything when that is said and counted, by every call', async () => {
  for (const name of [
    'change issues',
    'tag scans',
    'mark scans',
    'delete issues',
    'delete pages',
    'start scans',
    'delete scans',
  ]) {
    const { method, path, count, build } = changes[name]!
    const body = build({ selectAllMode: true, filters: { everything: true }, expectedCount: count })
    const reply = await api.call(method, path, { token: admin, body })
    expect([name, reply.body]).toEqual([name, expect.objectContaining({ success: true, changed: count })])
  }
})
