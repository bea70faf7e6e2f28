import type { IssueDetail, IssueList } from '@clearway/contract/monitor/issue/schema.ts'
import type { DrivenPage } from '@clearway/contract/monitor/ruleset/drive/schema.ts'
import { beforeAll, expect, it } from 'vitest'
import { useTestApi } from './api.ts'
import { buildCompleted, buildFinding, recordRun, type TestRun } from './run.ts'

// Findings of driven pages: what they say, and which later runs prove them fixed.

const api = useTestApi()
let admin: string
beforeAll(async () => {
  admin = await api.token('driver', ['access', 'admin'])
})
const call = async <T>(path: string) => (await api.call('GET', path, { token: admin })).body as T

const fullDrive: DrivenPage = { level: 'full', version: 1, isPartial: false }
const focusFinding = buildFinding('focus', { rule: 'drive-focus-visible', engine: 'driven', tags: ['wcag2aa', 'wcag247'] })
const phoneFinding = buildFinding('phone', { rule: 'color-contrast', engine: 'driven', states: ['390 px', 'dark'] })
const recordDriven = (scanId: string | undefined, findings: ReturnType<typeof buildFinding>[], driven?: DrivenPage) =>
  recordRun(
    api,
    scanId,
    { page: { ...buildCompleted([buildFinding('base'), ...findings]), ...(driven && { driven }) } },
    `Driven ${Math.random()}`,
  )
const listChanges = async (run: TestRun) => {
  const query = ['new', 'still', 'back', 'fixed', 'not-rechecked'].map((change) => `change=${change}`).join('&')
  const { content } = await call<IssueList>(`/issues?scanId=${run.scanId}&runNumber=${run.number}&${query}`)
  return Object.fromEntries(content.map(({ rule, change }) => [rule, change]))
}
const readIssue = async (run: TestRun, rule: string) => {
  const { content } = await call<IssueList>(`/issues?scanId=${run.scanId}&runNumber=${run.number}&rule=${rule}`)
  return call<IssueDetail>(`/issues/${content[0]!.id}`)
}

it('an issue names its engine and the states in which it was seen', async () => {
  const run = await recordDriven(undefined, [focusFinding, phoneFinding], fullDrive)
  expect(await readIssue(run, 'drive-focus-visible')).toMatchObject({ engine: 'driven', states: [] })
  expect(await readIssue(run, 'color-contrast')).toMatchObject({ engine: 'driven', states: ['390 px', 'dark'] })
  expect(await readIssue(run, 'image-alt')).toMatchObject({ engine: 'axe', states: [] })
})

it('a page that was not driven as far proves nothing fixed', async () => {
  const { scanId } = await recordDriven(undefined, [focusFinding, phoneFinding], fullDrive)
  const off = await recordDriven(scanId, [])
  expect(await listChanges(off)).toMatchObject({ 'drive-focus-visible': 'not-rechecked', 'color-contrast': 'not-rechecked' })
  const partial = await recordDriven(scanId, [], { ...fullDrive, isPartial: true })
  expect(await listChanges(partial)).toMatchObject({ 'drive-focus-visible': 'not-rechecked', 'color-contrast': 'not-rechecked' })
  const narrow = await recordDriven(scanId, [], { ...fullDrive, level: 'narrow' })
  expect(await listChanges(narrow)).toMatchObject({ 'drive-focus-visible': 'not-rechecked', 'color-contrast': 'fixed' })
  const full = await recordDriven(scanId, [], fullDrive)
  expect(await listChanges(full)).toMatchObject({ 'drive-focus-visible': 'fixed' })
})

it('an issue keeps its identity when axe sees it in another state', async () => {
  const { scanId } = await recordDriven(undefined, [phoneFinding], fullDrive)
  const { engine: _engine, states: _states, ...plainFinding } = phoneFinding
  const later = await recordDriven(scanId, [plainFinding], fullDrive)
  expect(await listChanges(later)).toMatchObject({ 'color-contrast': 'still' })
  expect(await readIssue(later, 'color-contrast')).toMatchObject({ engine: 'axe', states: [] })
})
