import { expect, it } from 'vitest'
import { buildScanBody, useTestApi } from './api.ts'
import { taskScript } from './world.ts'

// A deletion cannot be undone: its entry in the audit log says what was there.

const api = useTestApi()
type Entry = { action: string; noun: string; subject: string; before: Record<string, unknown> | null; after: unknown }

const ruleSet = { axeVersion: '4.13', standard: 'wcag21aa', bestPractices: false, experimental: false }
const weekly = {
  frequency: 'weekly',
  startDate: '2030-01-01',
  startTime: '03:00',
  timeZone: 'Europe/Berlin',
  weekdays: ['monday'],
}

it('keeps what a deletion removes, once, and no secrets', async () => {
  const token = await api.token('admin', ['access', 'admin'])
  const call = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) => {
    const reply = await api.call(method, path, { token, ...(body && { body }) })
    expect(reply.status, `${method} ${path} ${JSON.stringify(reply.body)}`).toBeLessThan(300)
    return reply.body as { id: string; scanGroupId: string; settings: object; version: number }
  }
  const connection = { authType: 'basic', username: 'ann', password: 'hush-hush-7' }
  const settings = {
    urls: ['https://www.example.org/shop/'],
    schedule: weekly,
    session: { connection },
    advanced: { extraHeaders: [{ name: 'X-Token', value: 'hush-header-7' }] },
  }
  const scan = await call('POST', '/scans', buildScanBody('Shop scan', settings))
  const otherScan = await call('POST', '/scans', buildScanBody('Blog scan', { schedule: weekly }))
  const group = await call('POST', '/groups', { scanGroupName: 'Shop group', scans: [scan.id] })
  const preset = await call('POST', '/presets', { name: 'Shop preset', ruleSet })
  const script = await call('POST', '/scripts', { name: 'Shop script', type: 'TASK', text: taskScript })
  const view = await call('POST', '/views', {
    name: 'Shop view',
    audience: { kind: 'me' },
    screen: 'scans',
    query: { q: 'shop' },
  })
  await call('POST', `/scans/${scan.id}/public-token`, {})
  await call('DELETE', `/scans/${scan.id}/public-token`)
  await call('DELETE', `/groups/${group.scanGroupId}`)
  await call('DELETE', `/presets/${preset.id}`)
  await call('DELETE', `/scripts/${script.id}`)
  await call('DELETE', `/views/${view.id}`)
  await call('PUT', `/scans/${otherScan.id}`, {
    settings: { ...otherScan.settings, schedule: { frequency: 'manual' } },
    version: otherScan.version,
  })
  await call('DELETE', `/scans/${scan.id}`)
  const selected = { selectAllMode: false, selectedScans: [otherScan.id] }
  await call('POST', '/bulk/scans/delete', selected)

  const { content } = (await api.call('GET', '/audit?size=500', { token })).body as { content: Entry[] }
  const deletions = content.filter(({ action }) => action === 'deleted')
  const findDeletion = (noun: string, subject: string) => {
    const entries = deletions.filter((entry) => entry.noun === noun && entry.subject === subject)
    expect(entries, noun).toHaveLength(1)
    return entries[0]!
  }
  expect(findDeletion('scan', scan.id)).toMatchObject({
    before: { name: 'Shop scan', settings: { urls: settings.urls, schedule: { weekdays: ['monday'] } } },
    after: null,
  })
  expect(findDeletion('scan', otherScan.id).before).toMatchObject({ name: 'Blog scan' })
  expect(findDeletion('group', group.scanGroupId).before).toMatchObject({ name: 'Shop group' })
  expect(findDeletion('group-scan', group.scanGroupId).before).toMatchObject({ scan_id: scan.id })
  expect(findDeletion('preset', preset.id).before).toMatchObject({ name: 'Shop preset', settings: { ruleSet } })
  expect(findDeletion('script', script.id).before).toMatchObject({ name: 'Shop script', type: 'TASK' })
  expect(findDeletion('view', view.id).before).toMatchObject({ name: 'Shop view', query: { q: 'shop' } })
  expect(findDeletion('share', scan.id).before).toMatchObject({ scan_id: scan.id })
  const unscheduled = content.find(({ action, subject }) => action === 'changed' && subject === otherScan.id)
  expect(unscheduled?.before).toMatchObject({ settings: { schedule: { weekdays: ['monday'] } } })
  expect(JSON.stringify(content)).not.toMatch(/hush-(hush|header)-7/)
})
