import { beforeAll, expect, it } from 'vitest'
import { createSeal } from '../../kit/seal.ts'
import { buildScanBody, useTestApi } from '../../../test/api.ts'
import { readSettingsWithSecrets } from '../session/service.ts'
import { findScan } from '../scan/store.ts'
import { readRunScripts } from './service.ts'

const api = useTestApi()
let admin: { token: string }
beforeAll(async () => {
  admin = { token: await api.token('admin', ['admin']) }
})

const createScriptText = (action: string) =>
  JSON.stringify({
    projects: [{ name: 'P', id: 'p', pageList: [{ name: 'Home', url: 'https://example.org/', actions: [action] }] }],
  })
const task = createScriptText('analyze')
const signIn = createScriptText('type "<PASSWORD>" into element "#p"')
type Stored = { id: string; version: number; settings: object }
const createScript = (body: object) => api.call('POST', '/scripts', { ...admin, body })
const listErrors = (reply: { body: never }) =>
  (reply.body as { errors: { path: string; code: string }[] }).errors.map(({ path, code }) => `${path} ${code}`)

it('validates a script text, and locates its errors', async () => {
  const validateScript = async (text: string, allowedScriptType: string) =>
    (await api.call('POST', '/scripts/validate', { body: { script: text, allowedScriptType } })).body as object
  expect(await validateScript(signIn, 'SESSION')).toEqual({ success: true, name: 'P', variables: ['PASSWORD'] })
  expect(await validateScript(task, 'SESSION')).toMatchObject({
    success: false,
    message: 'Please upload a valid script file.',
    errors: [{ code: 'analyze-in-session', line: 1 }],
  })
  expect(await validateScript(signIn, 'TASK')).toMatchObject({ errors: [{ code: 'no-analyze' }] })
  expect(await validateScript('projects: [', 'TASK')).toMatchObject({ errors: [{ code: 'syntax' }] })
})

it('stores shared scripts with sealed values, and refuses to delete one in use', async () => {
  const value = 'top secret 42'
  const createdScript = await createScript({
    name: 'Sign in',
    type: 'SESSION',
    text: signIn,
    variables: [{ name: 'PASSWORD', value }],
  })
  const { id, settings } = createdScript.body as Stored
  expect(JSON.stringify(createdScript.body)).not.toContain(value)
  expect(settings).toMatchObject({ variables: [{ name: 'PASSWORD', value: null }] })
  const rows = await api.db.selectFrom('secret').selectAll().execute()
  expect(rows.map(({ sealed }) => sealed.toString('latin1')).join()).not.toContain('secret')

  const scan = await api.call('POST', '/scans', { body: buildScanBody('Uses it', { scripts: { shared: [id] } }) })
  const row = (await findScan(api, (scan.body as Stored).id))!
  const ready = await readSettingsWithSecrets(api, row.id, row.settings)
  const variables = [{ name: 'PASSWORD', value }]
  expect(await readRunScripts(api, ready.scripts)).toEqual({
    scripts: [{ name: 'Sign in', type: 'SESSION', text: signIn, variables }],
    missing: [],
  })

  // A null value keeps the stored one, also after a rename of the script.
  const update = { settings: { ...settings, name: 'Sign in again' }, version: 1 }
  expect((await api.call('PUT', `/scripts/${id}`, { ...admin, body: update })).body).toMatchObject({
    version: 2,
    assignedScanCount: 1,
  })
  expect((await readRunScripts(api, ready.scripts)).scripts[0]!.variables).toEqual(variables)
  // Without the key, values count as missing.
  const otherKey = { ...api, seal: createSeal(Buffer.alloc(32)) }
  expect(await readRunScripts(otherKey, ready.scripts)).toMatchObject({ missing: ['PASSWORD'] })

  const refused = await api.call('DELETE', `/scripts/${id}`, admin)
  expect([refused.status, refused.body]).toMatchObject([
    409,
    {
      code: 'in-use',
      detail:
        'The shared script Sign in again is currently applied to one or more scans. Please remove it from those scans before proceeding with deletion.',
    },
  ])
  await api.call('DELETE', `/scans/${row.id}`)
  expect((await api.call('DELETE', `/scripts/${id}`, admin)).status).toBe(204)
})

it('refuses invalid scripts, and a scan with two sign-in scripts', async () => {
  expect(listErrors(await createScript({ name: 'X', type: 'TASK', text: '{' }))).toContain('text invalid')
  const variables = [
    { name: 'A', value: 'y' },
    { name: 'A', value: 'x' },
  ]
  expect(listErrors(await createScript({ name: 'X', type: 'TASK', text: task, variables }))).toEqual([
    'variables.1.name duplicate',
  ])
  expect(
    listErrors(await createScript({ name: 'X', type: 'TASK', text: task, variables: [{ name: 'A', value: null }] })),
  ).toEqual(['variables.0.value required'])
  const { id } = (await createScript({ name: 'One', type: 'SESSION', text: signIn })).body as Stored
  expect((await createScript({ name: 'ONE', type: 'SESSION', text: signIn })).status).toBe(409)
  const ownScripts = [{ name: 'Own', type: 'SESSION', text: signIn }]
  const scripts = { own: ownScripts, shared: [id, id, '01a00000-0000-7000-8000-000000000000'] }
  expect(listErrors(await api.call('POST', '/scans', { body: buildScanBody('Two', { scripts }) }))).toEqual([
    'scripts.shared.1 duplicate',
    'scripts.shared.2 unknown-value',
    'scripts too-big',
  ])
  expect((await api.call('GET', '/scripts/names?type=SESSION')).body).toEqual([{ id, name: 'One', type: 'SESSION' }])
  expect((await api.call('GET', '/scripts/names?type=TASK')).body).toEqual([])
})
