import type { IssueId } from '@clearway/contract/kit/id.ts'
import type { IssueDetail, IssueFields } from '@clearway/contract/monitor/issue/schema.ts'
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { renderInPage } from '../../../../test/show.tsx'
import { ToastProvider, ToastRegion } from '../../../kit/dialog/toast.tsx'
import { type MonitorApi, type Session, SessionContext } from '../../user/model.ts'
import { useChangeIssue } from './use-change-issue.ts'
import { issueQuery } from '../queries.ts'

/** Stub server that settles changes on demand and counts requests. */
function server() {
  const stored = new Map<string, Partial<IssueDetail>>()
  const waiting: { id: string; settle: (isDone: boolean) => void }[] = []
  const reads: string[] = []
  let silent = false
  const of = (id: string) =>
    ({ id, status: 'open', assignedTo: null, ignore: null, version: 1, ...stored.get(id) }) as IssueDetail
  const api = {
    readIssue: ({ params: { id } }: { params: { id: string } }) => {
      reads.push(id)
      return silent ? new Promise(() => undefined) : Promise.resolve(of(id))
    },
    updateIssue: (call: { params: { id: string }; body: { fieldsToUpdate: IssueFields; version: number } }) =>
      new Promise((done, failed) => {
        const { id } = call.params
        const settle = (isDone: boolean) => {
          if (!isDone || call.body.version !== of(id).version) return failed(new Error('refused'))
          const { status } = call.body.fieldsToUpdate
          stored.set(id, { ...(status && { status }), version: of(id).version + 1 })
          done(of(id))
        }
        waiting.push({ id, settle })
      }),
  } as unknown as MonitorApi
  return { api, waiting, reads, fallSilent: () => (silent = true) }
}

const goods: readonly (readonly [string, 'fixed' | 'open'])[] = [
  ['fix', 'fixed'],
  ['open', 'open'],
]
function Issue({ api, id }: { api: MonitorApi; id: string }) {
  const { data } = useQuery(issueQuery(api, id as IssueId, undefined))
  return data ? <Changing issue={data} /> : null
}
function Changing({ issue }: { issue: IssueDetail }) {
  const change = useChangeIssue(issue)
  return (
    <p>
      <output aria-label={issue.id}>{issue.status}</output>
      {goods.map(([word, status]) => (
        <button
          key={word}
          type="button"
          onClick={() =>
            void change({
              fields: { status },
              optimisticUpdate: { status },
              getSavedMessage: () => 'Saved',
              previousFields: { status: issue.status as 'open' },
            })
          }
        >
          {`${word} ${issue.id}`}
        </button>
      ))}
    </p>
  )
}

async function open(ids: readonly string[]) {
  const { api, ...serverControls } = server()
  const client = new QueryClient({ defaultOptions: { mutations: { networkMode: 'always' } } })
  await renderInPage(
    <QueryClientProvider client={client}>
      <SessionContext value={{ api } as Session}>
        <ToastProvider>
          {ids.map((id) => (
            <Issue key={id} api={api} id={id} />
          ))}
          <ToastRegion />
        </ToastProvider>
      </SessionContext>
    </QueryClientProvider>,
  )
  const press = (name: string) => page.getByRole('button', { name }).click()
  const expectShown = (id: string) => expect.element(page.getByLabelText(id, { exact: true }))
  return { ...serverControls, press, shown: expectShown }
}

it('rolls back and reports a refused change, even if the refetch fails', async () => {
  const { press, shown: expectShown, waiting, fallSilent } = await open(['one'])
  await press('fix one')
  await expectShown('one').toHaveTextContent('fixed')
  fallSilent()
  waiting[0]?.settle(false)
  await expectShown('one').toHaveTextContent('open')
  await expect.element(page.getByRole('group', { name: /^Error/ })).toBeVisible()
})

it('sends the next change after the first is stored, and keeps showing it', async () => {
  const { press, shown: expectShown, waiting, fallSilent } = await open(['one'])
  await press('fix one')
  await press('open one')
  expect(waiting.length).toBe(1)
  fallSilent()
  waiting[0]?.settle(true)
  await expect.poll(() => waiting.length).toBe(2)
  await expectShown('one').toHaveTextContent('open')
  // After a refusal, the result of the first change stays.
  waiting[1]?.settle(false)
  await expectShown('one').toHaveTextContent('fixed')
})

it('keeps the optimistic update of the next issue when the previous change is stored', async () => {
  const { press, shown: expectShown, waiting, reads } = await open(['one', 'two'])
  await press('fix one')
  await press('fix two')
  await expectShown('two').toHaveTextContent('fixed')
  reads.length = 0
  waiting[0]?.settle(true)
  await expect.poll(() => reads).toEqual(['one'])
  await new Promise((done) => setTimeout(done, 800))
  await expectShown('two').toHaveTextContent('fixed')
  expect(reads).toEqual(['one'])
  waiting[1]?.settle(true)
  await expect.poll(() => reads).toContain('two')
})

it('sends a change made right after an undo once the undo is stored', async () => {
  const { press, shown: expectShown, waiting } = await open(['undone'])
  await press('fix undone')
  await expect.poll(() => waiting.length).toBe(1)
  waiting[0]?.settle(true)
  await press('Undo')
  await expect.poll(() => waiting.length).toBe(2)
  await press('fix undone')
  await expectShown('undone').toHaveTextContent('fixed')
  expect(waiting.length).toBe(2)
  waiting[1]?.settle(true)
  await expect.poll(() => waiting.length).toBe(3)
  waiting[2]?.settle(true)
  await expectShown('undone').toHaveTextContent('fixed')
})
