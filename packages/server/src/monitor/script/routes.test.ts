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

const createSteps = (...actions: string[]) =>
  JSON.stringify({ projects: [{ name: 'P', id: 'p', pageList: [{ name: 'H', url: 'https://example.org/', actions }] }] }, null, 1)

it.each([
  ['eval "1+1"', 'eval', 'does not allow eval'],
  ['click element "#["', '#[', 'a CSS selector'],
  ['click element "//a[ends-with(@x,1)]"', '//a[ends-with(@x,1)]', 'an XPath of elements'],
  ['wait for element "xpath=count(//a)" to be found', 'count(//a)', 'an XPath of elements'],
  ['click element ["iframe:foo", "#a"]', 'iframe:foo', 'a CSS selector'],
  ['dismiss modal "#m" with close button "#x::"', '#x::', 'a CSS selector'],
  ['type "open sesame" into element "#password"', 'a text for #password', 'such as <PASSWORD>'],
  ['press "Foo" on "#n"', 'Foo', 'a key such as'],
  ['press "Control+Foo" on "#n"', 'Control+Foo', 'a key such as'],
])('refuses a step that no run can perform, on validation and on saving: %s', async (action, read, expected) => {
  const text = createSteps('analyze', action)
  const validation = await api.call('POST', '/scripts/validate', { body: { script: text, allowedScriptType: 'TASK' } })
  const line = text.split('\n').findIndex((one) => one.includes(JSON.stringify(action).slice(1, 8))) + 1
  expect(validation.body).toMatchObject({ success: false, errors: [{ code: 'bad-action', read, line }] })
  expect(JSON.stringify(validation.body)).toContain(expected)
  const shared = await createScript({ name: `Bad ${action}`.slice(0, 60), type: 'TASK', text, variables: [] })
  expect([shared.status, listErrors(shared)]).toEqual([400, ['text invalid']])
  const own = { own: [{ name: 'x', type: 'TASK', text }] }
  const scan = await api.call('POST', '/scans', { body: buildScanBody('Bad steps', { scripts: own }) })
  expect([scan.status, listErrors(scan)]).toEqual([400, ['scripts.own.0.text invalid']])
})

it.each([
  'click element "#a:has(> b)"',
  'click element "<SELECTOR>"',
  'click element "button:has-text(\\"Save\\")"',
  'click element "main >> text=Save"',
  'press "Control+Shift+T" on "#n"',
  'press "Control++" on "#n"',
  'press "é<KEY>" on "#n"',
  'wait for element "(//a)[1]" to be found',
])('accepts a step that runs can perform: %s', async (action) => {
  const text = createSteps('analyze', action.replaceAll('\\"', "'"))
  const validation = await api.call('POST', '/scripts/validate', { body: { script: text, allowedScriptType: 'TASK' } })
  expect(validation.body).toMatchObject({ success: true })
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
  expect((await api.call('GET', '/scripts?search=again', admin)).body).toMatchObject({
    content: [{ scanNames: ['Uses it'], size: { pages: 1, steps: 1, analyses: 0 } }],
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
