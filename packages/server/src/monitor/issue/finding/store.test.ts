import { expect, it } from 'vitest'
import { useTestApi } from '../../../../test/api.ts'
import { buildCompleted, buildFinding, recordRun } from '../../../../test/run.ts'

const api = useTestApi()

type Listed = { content: { id: string; status: string; selector: string; markedAsIssue: boolean | null }[] }
const listIssues = async (scanId: string) =>
  ((await api.call('GET', `/issues?scanId=${scanId}&status=open&status=ignored&status=none`)).body as Listed).content
type Detail = { status: string; ignore: { reason: string } | null; markedAsIssue: boolean | null; matchedBy: string }
const getIssue = async (id: string) => (await api.call('GET', `/issues/${id}`)).body as Detail

/** Buttons of a list in which nothing tells them apart. */
const buildTwins = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    buildFinding(`main()>ul:1>li:${n + 1}>button:1|||\tpicon`, { html: '<button></button>', target: [`li:nth-child(${n + 1})`] }),
  )
const change = (id: string, fieldsToUpdate: object) => api.call('PATCH', `/issues/${id}`, { body: { fieldsToUpdate } })

it('asks again about decisions on elements that can no longer be told apart', async () => {
  const { scanId } = await recordRun(api, undefined, { p: buildCompleted(buildTwins(3)) }, 'Twins')
  const [first, second, third] = await listIssues(scanId)
  await change(first!.id, { status: 'ignored', ignore: { scope: 'issue', reason: 'Known' } })
  await change(second!.id, { markAsIssue: false })
  await change(third!.id, { assignedTo: null })

  // The same page again leaves no doubt.
  await recordRun(api, scanId, { p: buildCompleted(buildTwins(3)) })
  expect(await getIssue(first!.id)).toMatchObject({ status: 'ignored', ignore: { reason: 'Known' } })
  expect(await getIssue(second!.id)).toMatchObject({ status: 'none', markedAsIssue: false })

  await recordRun(api, scanId, { p: buildCompleted(buildTwins(4)) })
  const statuses = (await listIssues(scanId)).map(({ status }) => status)
  expect(statuses).toEqual(['open', 'open', 'open', 'open'])
  expect(await getIssue(first!.id)).toMatchObject({ status: 'open', ignore: { reason: 'Known' } })
  expect(await getIssue(second!.id)).toMatchObject({ status: 'open', markedAsIssue: null })

  // The answer ends the question.
  await change(first!.id, { status: 'open' })
  expect(await getIssue(first!.id)).toMatchObject({ status: 'open', ignore: null })
})

it('keeps an ignore of the rule, whichever element an issue belongs to', async () => {
  const { scanId } = await recordRun(api, undefined, { p: buildCompleted(buildTwins(2)) }, 'Rule')
  const [first] = await listIssues(scanId)
  await change(first!.id, { status: 'ignored', ignore: { scope: 'rule', reason: 'All' } })
  await recordRun(api, scanId, { p: buildCompleted(buildTwins(3)) })
  expect((await listIssues(scanId)).map(({ status }) => status)).toEqual(['ignored', 'ignored', 'ignored'])
})
