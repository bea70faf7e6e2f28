import type { IssueDetail } from '@clearway/contract/monitor/issue/schema.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { renderInPage } from '../../../../test/show.tsx'
import { ToastProvider } from '../../../kit/dialog/toast.tsx'
import { type Session, SessionContext } from '../../user/model.ts'
import { IgnoreFacts, IgnoreIssue } from './ignore.tsx'

const ignore = {
  author: { name: 'Ada' },
  createdAt: '2026-01-02T03:04:05Z',
  scope: 'issue',
  reason: 'Decorative',
  until: null,
  expired: false,
}

it.each([
  ['ignored', /^Ignored by Ada/],
  ['open', /^Was ignored by Ada/],
  ['fixed', /^Was ignored by Ada/],
] as const)('tells a valid ignore from a lost one: %s', async (status, sentence) => {
  await renderInPage(<IgnoreFacts issue={{ status, ignore } as unknown as IssueDetail} />)
  await expect.element(page.getByText(sentence)).toBeVisible()
})

it('names the end of an ignore, and says when it has passed', async () => {
  const dated = { ...ignore, until: new Date('2026-05-02T00:00').toISOString() }
  await renderInPage(<IgnoreFacts issue={{ status: 'ignored', ignore: dated } as unknown as IssueDetail} />)
  await expect.element(page.getByText(/^Ignored by Ada.* Until May 1, 2026\.$/)).toBeVisible()
  const expired = { ...dated, expired: true }
  await renderInPage(<IgnoreFacts issue={{ status: 'open', ignore: expired } as unknown as IssueDetail} />)
  await expect.element(page.getByText(/until May 1, 2026\. That time is over, so decide again\.$/)).toBeVisible()
})

/** Renders the dialog as after a reload: only the typed text outlives the page. */
const renderDialog = (updateIssue: () => Promise<unknown>) =>
  renderInPage(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { mutations: { retry: false } } })}>
      <SessionContext value={{ api: { updateIssue }, permissions: { id: 'ada' } } as unknown as Session}>
        <ToastProvider>
          <IgnoreIssue
            issue={{ id: 'issue-1', status: 'open', version: 1 } as unknown as IssueDetail}
            onClose={() => undefined}
          />
        </ToastProvider>
      </SessionContext>
    </QueryClientProvider>,
  )
const reasonField = page.getByLabelText(/^Reason/)
const untilField = page.getByLabelText(/^Ignore until/)
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()

it('keeps the typed reason and last day until the issue is ignored', async () => {
  let isRefused = true
  let savedCount = 0
  const updateIssue = () => {
    if (isRefused) return Promise.reject(new Error('refused'))
    savedCount++
    return Promise.resolve({ status: 'ignored', version: 2 })
  }
  const view = await renderDialog(updateIssue)
  await reasonField.fill('Decorative')
  await untilField.fill('2999-05-02')
  await press('Ignore')
  await expect.element(reasonField).toHaveAttribute('aria-invalid', 'true')
  await view.unmount()
  const reloadedView = await renderDialog(updateIssue)
  await expect.element(reasonField).toHaveValue('Decorative')
  await expect.element(untilField).toHaveValue('2999-05-02')
  isRefused = false
  await press('Ignore')
  await expect.poll(() => savedCount).toBe(1)
  await expect.element(reasonField).toHaveValue('')
  await reloadedView.unmount()
  await renderDialog(updateIssue)
  await expect.element(reasonField).toHaveValue('')
  await expect.element(untilField).toHaveValue('')
})

it('discards the typed reason and last day by Cancel', async () => {
  const updateIssue = () => Promise.resolve({})
  const view = await renderDialog(updateIssue)
  await reasonField.fill('Decorative')
  await untilField.fill('2999-05-02')
  await press('Cancel')
  await view.unmount()
  await renderDialog(updateIssue)
  await expect.element(reasonField).toHaveValue('')
  await expect.element(untilField).toHaveValue('')
})
