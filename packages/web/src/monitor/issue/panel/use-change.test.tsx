import type { IssueId } from '@clearway/contract/kit/id.ts'
import type { IssueDetail, IssueFields } from '@clearway/contract/monitor/issue/schema.ts'
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { show } from '../../../../test/show.tsx'
import { ToastProvider, ToastRegion } from '../../../kit/dialog/toast.tsx'
import { type MonitorApi, type Session, SessionContext } from '../../user/model.ts'
import { useChange } from './use-change.ts'
import { issueQuery } from '../queries.ts'

/** A server that answers a change when it is told to, and counts what it is asked for. */
function server() {
  const stored = new Map<string, Partial<IssueDetail>>()
  const waiting: { id: string; end: (isDone: boolean) => void }[] = []
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
        const end = (isDone: boolean) => {
          if (!isDone || call.body.version !== of(id).version) return failed(new Error('refused'))
          const { status } = call.body.fieldsToUpdate
          stored.set(id, { ...(status && { status }), version: of(id).version + 1 })
          done(of(id))
        }
        waiting.push({ id, end })
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
  const change = useChange(issue)
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
              assumed: { status },
              saved: () => 'Saved',
              before: { status: issue.status as 'open' },
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
  const { api, ...rest } = server()
  const client = new QueryClient({ defaultOptions: { mutations: { networkMode: 'always' } } })
  await show(
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
  const shown = (id: string) => expect.element(page.getByLabelText(id, { exact: true }))
  return { ...rest, press, shown }
}

it('puts back what a refused change showed, and says so, whether or not it can be read again', async () => {
  const { press, shown, waiting, fallSilent } = await open(['one'])
  await press('fix one')
  await shown('one').toHaveTextContent('fixed')
  fallSilent()
  waiting[0]?.end(false)
  await shown('one').toHaveTextContent('open')
  await expect.element(page.getByRole('group', { name: /^Error/ })).toBeVisible()
})

it('sends the next change once the first is stored, and keeps showing it', async () => {
  const { press, shown, waiting, fallSilent } = await open(['one'])
  await press('fix one')
  await press('open one')
  expect(waiting.length).toBe(1)
  fallSilent()
  waiting[0]?.end(true)
  await expect.poll(() => waiting.length).toBe(2)
  await shown('one').toHaveTextContent('open')
  // Refused, it leaves what the first one stored.
  waiting[1]?.end(false)
  await shown('one').toHaveTextContent('fixed')
})

it('leaves what the next issue shows of its change when the one before is stored', async () => {
  const { press, shown, waiting, reads } = await open(['one', 'two'])
  await press('fix one')
  await press('fix two')
  await shown('two').toHaveTextContent('fixed')
  reads.length = 0
  waiting[0]?.end(true)
  await expect.poll(() => reads).toEqual(['one'])
  await new Promise((done) => setTimeout(done, 800))
  await shown('two').toHaveTextContent('fixed')
  expect(reads).toEqual(['one'])
  waiting[1]?.end(true)
  await expect.poll(() => reads).toContain('two')
})

it('sends what is changed right after an undo once that is stored', async () => {
  const { press, shown, waiting } = await open(['undone'])
  await press('fix undone')
  await expect.poll(() => waiting.length).toBe(1)
  waiting[0]?.end(true)
  await press('Undo')
  await expect.poll(() => waiting.length).toBe(2)
  await press('fix undone')
  await shown('undone').toHaveTextContent('fixed')
  expect(waiting.length).toBe(2)
  waiting[1]?.end(true)
  await expect.poll(() => waiting.length).toBe(3)
  waiting[2]?.end(true)
  await shown('undone').toHaveTextContent('fixed')
})
