import { beforeAll, describe, expect, it } from 'vitest'
import { scanBody, apiOfFile } from './api.ts'

/** What somebody who may edit a scan, but does not know what is stored in it, tries in order to have it sent to him. */
const api = apiOfFile({ worker: true })
let admin: { token: string }
beforeAll(async () => {
  admin = { token: await api.token('admin', ['admin']) }
})

const script = (url: string) => `projects:
  - name: P
    id: p
    pageList:
      - name: Start
        url: ${url}
        actions:
          - 'type "<PASSWORD>" into element "input"'
`
const connection = { authType: 'basic', username: 'ann', password: 'hush-hush' }
const kept = { connection: { ...connection, password: null } }
const variables = [{ name: 'PASSWORD', value: 'open-sesame' }]
const nullVariables = [{ name: 'PASSWORD', value: null }]
const own = (text: string) => [{ name: 'Sign in', type: 'SESSION', text }]
const home = 'https://shop.example.org/'

type Made = { id: string; version: number; settings: Record<string, object> & { scripts: object } }
let count = 0
const make = async (more: object = {}) => {
  const body = scanBody(`Target ${count++}`, {
    urls: [home],
    domains: ['shop.example.org', '*.cdn.example.org'],
    session: { connection },
    scripts: { own: own(script(home)), variables },
    ...more,
  })
  const { status, body: made } = await api.call('POST', '/scans', { body })
  expect(status, JSON.stringify(made)).toBe(201)
  return made as Made
}
const put = ({ id, version, settings }: Made, change: object) =>
  api.call('PUT', `/scans/${id}`, { body: { settings: { ...settings, ...change }, version } })
const preview = ({ id, settings }: Made, change: object) =>
  api.call('POST', '/scans/scope-test', {
    body: { settings: { ...settings, session: kept, ...change }, scanId: id, address: home },
  })
const password = (prefix = 'settings.') => ({
  status: 400,
  body: {
    code: 'validation-failed',
    errors: [
      {
        path: `${prefix}session.connection.password`,
        code: 'required',
        params: { reason: 'used-elsewhere' },
      },
    ],
  },
})

describe('to have a stored password sent to a host of his own', () => {
  it.each([
    ['another start URL', { urls: ['https://evil.example.net/'], domains: [] }],
    ['a domain more', { domains: ['shop.example.org', 'evil.example.net'] }],
    ['every host below one', { domains: ['shop.example.org', '*.example.org'] }],
    ['another port', { urls: ['https://shop.example.org:8443/'], domains: [] }],
    ['a start URL in clear', { urls: ['http://shop.example.org/'] }],
    ['a listed URL in clear', { sources: { urls: ['http://shop.example.org/'] } }],
  ])('%s, by saving, by a preview and by a dry run', async (_what, change) => {
    const scan = await make()
    expect(await put(scan, change)).toMatchObject(password())
    expect(await preview(scan, change)).toMatchObject(password())
    const settings = { ...scan.settings, session: kept, ...change }
    const body = { script: script(home), type: 'TASK', variables, settings, scanId: scan.id }
    expect(await api.call('POST', '/scripts/dry-run', { body })).toMatchObject(password())
  })

  it('not in the way of whoever enters it anew, takes hosts away, or changes something else', async () => {
    const scan = await make()
    const fresh = { session: { connection } }
    const moved = await put(scan, { urls: ['https://other.example.net/'], domains: [], ...fresh })
    expect(moved.status).toBe(200)
    const second = await make()
    const less = { domains: ['shop.example.org', 'img.cdn.example.org'], urls: [`${home}de/`] }
    expect((await put(second, less)).status).toBe(200)
  })
})

describe('to have a stored variable typed somewhere else', () => {
  const refused = (path: string) => ({
    status: 400,
    body: { errors: [{ path, code: 'required', params: { reason: 'used-elsewhere' } }] },
  })

  it('by another text of the script, saved or tried', async () => {
    const scan = await make()
    const evil = script('https://evil.example.net/')
    expect(await put(scan, { scripts: { own: own(evil), variables: nullVariables } })).toMatchObject(
      refused('settings.scripts.variables.0.value'),
    )
    const body = { script: evil, type: 'TASK', variables: nullVariables, scanId: scan.id }
    expect(await api.call('POST', '/scripts/dry-run', { body })).toMatchObject(refused('variables.0.value'))
    expect((await put(scan, { scripts: { own: own(evil), variables } })).status).toBe(200)
  })

  it('by another value of the variable that names the host', async () => {
    const text = script('https://<HOST>/')
    const both = (host: string | null, value: string | null) => [
      { name: 'HOST', value: host },
      { name: 'PASSWORD', value },
    ]
    const scan = await make({
      scripts: { own: own(text), variables: both('shop.example.org', 'open-sesame') },
    })
    const scripts = { own: own(text), variables: both('evil.example.net', null) }
    expect(await put(scan, { scripts })).toMatchObject(refused('settings.scripts.variables.1.value'))
  })

  it('by another text of a shared script, saved or tried', async () => {
    const body = { name: 'Shared', type: 'SESSION', text: script(home), variables }
    const made = (await api.call('POST', '/scripts', { ...admin, body })).body as Made
    const text = script('https://evil.example.net/')
    const settings = { ...body, text, variables: nullVariables }
    expect(
      await api.call('PUT', `/scripts/${made.id}`, { ...admin, body: { settings, version: made.version } }),
    ).toMatchObject(refused('settings.variables.0.value'))
    const tried = { script: text, type: 'SESSION', variables: nullVariables, scriptId: made.id }
    expect(await api.call('POST', '/scripts/dry-run', { ...admin, body: tried })).toMatchObject(
      refused('variables.0.value'),
    )
  })
})
