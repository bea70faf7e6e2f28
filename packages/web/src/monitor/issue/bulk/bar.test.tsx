import { firstBatchSize } from '@clearway/contract/monitor/issue/bulk/model.ts'
import type { BulkIssueChange } from '@clearway/contract/monitor/issue/bulk/schema.ts'
import type { IssueFields } from '@clearway/contract/monitor/issue/schema.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible, renderInPage } from '../../../../test/show.tsx'
import type { DownloadState } from '../../../kit/client/use-download.ts'
import { ToastProvider, ToastRegion } from '../../../kit/dialog/toast.tsx'
import { useSelection } from '../../../kit/table/use-selection.ts'
import { type MonitorApi, type Session, SessionContext } from '../../user/model.ts'
import { issueSearchDefaults } from '../model.ts'
import { IssueBulk } from './bar.tsx'
import type { Batch } from '../model-batches.ts'
import { BulkChangesDialog } from './changes-dialog.tsx'

type Reply = { changed: number; skipped: number; undo: string | null; next: string | null }
type Sent = { batch?: Batch; fieldsToUpdate?: IssueFields; settle: (reply: Reply | Error) => void }

/** Stub server that settles batches on demand. */
function openServer(
  issueCount: number,
  { changes = [], middle = null }: { changes?: BulkIssueChange[]; middle?: string | null } = {},
) {
  const sent: Sent[] = []
  const undone: { inBatches?: boolean; fromStart?: boolean }[] = []
  const send = ({ body }: { body: Omit<Sent, 'settle'> }) =>
    new Promise((resolve, reject) => {
      sent.push({ ...body, settle: (reply) => (reply instanceof Error ? reject(reply) : resolve({ success: true, ...reply })) })
    })
  const names = ['Shop', 'Intranet']
  const api = {
    countSelectedIssues: () => Promise.resolve({ count: issueCount, scans: 5, scanNames: names, middle }),
    updateIssues: send,
    deleteIssues: send,
    undoIssues: ({ body }: { body: { inBatches?: boolean; fromStart?: boolean } }) => {
      // The changes are those of one scan.
      if (body.fromStart) return Promise.resolve({ restored: 0, left: 0, named: [], remaining: 1 })
      undone.push(body)
      const isLast = undone.length === 3
      if (isLast) changes.length = 0
      return Promise.resolve({
        restored: 10_000,
        left: isLast ? 1 : 0,
        named: [],
        remaining: isLast ? 0 : 30_000 - undone.length * 10_000,
      })
    },
    listIssueChanges: () => Promise.resolve({ content: [...changes] }),
  } as unknown as MonitorApi
  return { api, sent, undone }
}

function Bar({ total }: { total: number }) {
  const selectionState = useSelection('all')
  return (
    <>
      <button type="button" onClick={selectionState.selectAll}>{`Choose ${total}`}</button>
      <IssueBulk
        search={issueSearchDefaults}
        selectionState={selectionState}
        totalCount={total}
        exportDownload={{} as DownloadState}
      />
    </>
  )
}

function Changes() {
  const [isOpen, setIsOpen] = useState(true)
  return isOpen ? <BulkChangesDialog onClose={() => setIsOpen(false)} /> : null
}

async function open(api: MonitorApi, content: ReactNode, width?: number) {
  const client = new QueryClient({ defaultOptions: { mutations: { networkMode: 'always' } } })
  await renderInPage(
    <QueryClientProvider client={client}>
      <SessionContext value={{ api, permissions: { isGuest: false } } as Session}>
        <ToastProvider>
          {content}
          <ToastRegion />
        </ToastProvider>
      </SessionContext>
    </QueryClientProvider>,
    width,
  )
}
const press = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()
const dialog = () => page.getByRole('alertdialog')
const chooseFixed = async () => {
  await press('Set status')
  await page.getByRole('menuitem', { name: 'Fixed' }).click()
}
const replyTo = (sent: Sent[], index: number, reply: Partial<Reply> | Error) =>
  expect
    .poll(() => sent[index] !== undefined)
    .toBe(true)
    .then(() =>
      sent[index]!.settle(reply instanceof Error ? reply : { changed: 1000, skipped: 0, undo: 'u', next: null, ...reply }),
    )

it('changes few issues without a question', async () => {
  const { api, sent } = openServer(1000)
  await open(api, <Bar total={1000} />)
  await press('Choose 1000')
  await expect.element(page.getByText(/All 1,000 selected/)).toBeVisible()
  await chooseFixed()
  await expect.poll(() => sent.length).toBe(1)
  expect(sent[0]).toMatchObject({ fieldsToUpdate: { status: 'fixed' } })
  expect(sent[0]!.batch).toBeUndefined()
})

it.each([
  [3, 1, 0],
  [1001, 0, 1],
])('waits for the number of %i issues before it asks', async (issueCount, sentCount, dialogCount) => {
  const { api, sent } = openServer(issueCount)
  const { promise: counted, resolve: count } = Promise.withResolvers<object>()
  await open({ ...api, countSelectedIssues: () => counted } as unknown as MonitorApi, <Bar total={3} />)
  await press('Choose 3')
  await chooseFixed()
  expect([sent.length, dialog().elements().length]).toEqual([0, 0])
  count({ count: issueCount, scans: 1, scanNames: ['Shop'], middle: null })
  await expect.poll(() => [sent.length, dialog().elements().length]).toEqual([sentCount, dialogCount])
})

it('names number and scans of a large change, shows its progress, and undoes it', async () => {
  const { api, sent, undone } = openServer(2500)
  await open(api, <Bar total={2500} />, 320)
  await press('Choose 2500')
  await chooseFixed()
  await expect.element(dialog().getByText('This changes 2,500 issues.')).toBeVisible()
  await expect.element(dialog().getByText('Shop and Intranet')).toBeVisible()
  await expect.element(dialog().getByText(/and 3 more/)).toBeVisible()
  expect(sent).toEqual([])
  await expectAccessible()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog()).not.toBeInTheDocument()
  await chooseFixed()
  await press('Change issues')
  await replyTo(sent, 0, { next: 'a' })
  await expect.element(dialog().getByText('1,000 of 2,500 issues')).toBeVisible()
  expect(sent[0]!.batch).toEqual({ size: firstBatchSize })
  await expect.element(page.getByRole('button', { name: 'Stop' })).toHaveFocus()
  await expectAccessible()
  await replyTo(sent, 1, { next: 'b', skipped: 0 })
  await replyTo(sent, 2, { changed: 400, skipped: 100 })
  // Later sizes depend on the time of the previous batch.
  expect(sent.slice(1).map(({ batch }) => batch)).toMatchObject([
    { after: 'a', undo: 'u' },
    { after: 'b', undo: 'u' },
  ])
  await expect.element(page.getByText(/2,400 issues changed\. 100 were skipped/)).toBeVisible()
  await expect.element(dialog()).not.toBeInTheDocument()
  await press('Undo')
  await expect.poll(() => undone).toEqual([1, 2, 3].map(() => ({ undo: 'u', inBatches: true, fromStart: false })))
  await expect
    .element(page.getByText(/30,000 issues restored\. 1 was changed or deleted since and was not restored\./))
    .toBeVisible()
})

it('changes both halves of a selection at once, and stops both', async () => {
  const { api, sent } = openServer(50_000, { middle: 'm' })
  await open(api, <Bar total={50_000} />)
  await press('Choose 50000')
  await chooseFixed()
  await press('Change issues')
  await replyTo(sent, 0, { next: 'a' })
  await expect.poll(() => sent.length).toBe(3)
  expect(sent.map(({ batch }) => batch)).toMatchObject([
    { until: 'm' },
    { after: 'a', until: 'm', undo: 'u' },
    { after: 'm', undo: 'u' },
  ])
  await press('Stop')
  await replyTo(sent, 1, { next: 'b' })
  await replyTo(sent, 2, { next: 'n' })
  await expect.element(page.getByText(/Stopped\. 3,000 issues changed\./)).toBeVisible()
  expect(sent).toHaveLength(3)
})

it('stops a large change between batches, and reports one that failed, with what was changed', async () => {
  const { api, sent } = openServer(50_000)
  await open(api, <Bar total={50_000} />)
  await press('Choose 50000')
  await chooseFixed()
  await press('Change issues')
  await expect.element(page.getByRole('button', { name: 'Stop' })).toBeVisible()
  await press('Stop')
  await replyTo(sent, 0, { changed: 2500, next: 'a' })
  await expect.element(page.getByText(/Stopped\. 2,500 issues changed\./)).toBeVisible()
  expect(sent).toHaveLength(1)
  expect(sent[0]!.batch).toEqual({ size: firstBatchSize })
  await press('Close message')
  await press('Choose 50000')
  await chooseFixed()
  await press('Change issues')
  await replyTo(sent, 1, { changed: 2500, next: 'a' })
  await replyTo(sent, 2, new Error('gone'))
  const failed = page.getByRole('group', { name: /^Error: Error while trying to set Fixed status: .* 2,500 issues changed\.$/ })
  await expect.element(failed.getByRole('button', { name: 'Undo' })).toBeVisible()
})

it('deletes many issues in batches, without a way back', async () => {
  const { api, sent } = openServer(1001)
  await open(api, <Bar total={1001} />)
  await press('Choose 1001')
  await press('More actions')
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await expect.element(dialog().getByText(/This deletes 1,001 issues from all runs/)).toBeVisible()
  await expect.element(dialog().getByText('It cannot be undone.')).toBeVisible()
  await press('Delete issues')
  await replyTo(sent, 0, { next: 'a' })
  await replyTo(sent, 1, { changed: 1 })
  expect(sent.map(({ batch }) => batch)).toMatchObject([{ size: firstBatchSize }, { after: 'a' }])
  await expect.element(page.getByText(/1,001 issues deleted\./)).toBeVisible()
})

it('lists changes of the last day, and undoes one later', async () => {
  const common = { madeAt: '2026-11-26T10:00:00.000Z', scans: 2, scanNames: ['Shop', 'Intranet'] }
  const changes: BulkIssueChange[] = [
    { ...common, undo: '1', issues: 30_000, fields: ['status'], status: 'ignored' },
    { ...common, undo: '2', issues: 2, fields: ['addLabels', 'ticketUrl'], status: null, scans: 4 },
    { ...common, undo: '3', issues: 1, fields: [], status: null, scans: 0, scanNames: [] },
  ]
  const { api, undone } = openServer(0, { changes })
  await open(api, <Changes />, 320)
  await expect.element(page.getByText('Status: Ignored')).toBeVisible()
  await expect.element(page.getByText('Labels and Ticket')).toBeVisible()
  await expect.element(page.getByText(/^30,000 issues, Shop and Intranet$/)).toBeVisible()
  expect(page.getByRole('listitem').elements()).toHaveLength(3)
  await expectAccessible()
  await press(/^Undo: Status: Ignored, /)
  await expect.poll(() => undone.length).toBe(3)
  await expect.element(page.getByText(/30,000 issues restored/)).toBeVisible()
  await expect.element(page.getByText('There is nothing to undo.')).toBeVisible()
  await press('Close')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})
