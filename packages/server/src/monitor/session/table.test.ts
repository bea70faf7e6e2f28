import { expect, test } from 'vitest'
import { buildScanBody, useTestApi } from '../../../test/api.ts'

const api = useTestApi()

const buildScript = (name: string, type: 'SESSION' | 'TASK') => ({
  name,
  type,
  text: JSON.stringify({ projects: [{ name, id: name, pageList: [{ name: 'p', url: 'https://a.example/' }] }] }),
})
const form = { authType: 'form', url: 'https://a.example/login', username: 'boss', password: 'secret' }

async function createScan(name: string, settings: Record<string, unknown>): Promise<string> {
  const reply = await api.call('POST', '/scans', { body: buildScanBody(name, settings) })
  expect(reply.status, JSON.stringify(reply.body)).toBe(201)
  return (reply.body as { id: string }).id
}
const readSignIn = async (scanId: string, token?: string) =>
  ((await api.call('GET', `/scans/${scanId}`, token === undefined ? {} : { token })).body as { signIn: unknown }).signIn

test('a scan and its runs say how they sign in', async () => {
  const token = await api.token('admin', ['admin'])
  const shared = await api.call('POST', '/scripts', { token, body: { ...buildScript('Team door', 'SESSION'), variables: [] } })
  expect(shared.status, JSON.stringify(shared.body)).toBe(201)
  const { id: sharedId } = shared.body as { id: string }
  const own = [buildScript('Task', 'TASK'), buildScript('Own door', 'SESSION')]
  const expected = [
    ['None', {}, []],
    ['Form', { session: { connection: form } }, [{ kind: 'form', name: 'boss' }]],
    [
      'Basic and script',
      { session: { connection: { authType: 'basic', username: 'b', password: 'x' } }, scripts: { own } },
      [
        { kind: 'basic', name: 'b' },
        { kind: 'script', name: 'Own door' },
      ],
    ],
    ['Shared', { scripts: { own: [own[0]], shared: [sharedId] } }, [{ kind: 'script', name: 'Team door' }]],
  ] as const
  for (const [name, settings, ways] of expected) {
    const scanId = await createScan(name, settings)
    expect(await readSignIn(scanId)).toEqual(ways)
    const run = await api.call('POST', `/scans/${scanId}/startRun`)
    const { number } = run.body as { number: number }
    // The run keeps its own sign-in.
    const { settings: stored, version } = (await api.call('GET', `/scans/${scanId}/settings`)).body as {
      settings: object
      version: number
    }
    const changed = { ...stored, session: { connection: null }, scripts: { own: [], shared: [], variables: [] } }
    expect((await api.call('PUT', `/scans/${scanId}`, { body: { settings: changed, version } })).status).toBe(200)
    expect(await readSignIn(scanId)).toEqual([])
    const overview = await api.call('GET', `/scans/${scanId}/runs/${number}/overview`)
    expect(overview.body).toMatchObject({ signIn: ways })
    await api.call('POST', `/scans/${scanId}/cancel`)
  }
})

test('readers who may not edit the scan see the kind, not the account', async () => {
  const scanId = await createScan('Seen by others', { session: { connection: form } })
  const auditor = await api.token('reader', ['access', 'auditor'])
  expect(await readSignIn(scanId, auditor)).toEqual([{ kind: 'form', name: null }])
  const listed = (await api.call('GET', '/scans?size=500', { token: auditor })).body as {
    content: { id: string; signIn: unknown }[]
  }
  expect(listed.content.find(({ id }) => id === scanId)?.signIn).toEqual([{ kind: 'form', name: null }])
})
