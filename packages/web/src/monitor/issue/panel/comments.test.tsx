import type { IssueDetail } from '@clearway/contract/monitor/issue/schema.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { renderInPage } from '../../../../test/show.tsx'
import { ToastProvider } from '../../../kit/dialog/toast.tsx'
import { type Session, SessionContext } from '../../user/model.ts'
import { IssueComments } from './comments.tsx'

const issue = { id: 'issue-1', scanId: 'scan-1' } as unknown as IssueDetail

/** Renders the comments of an issue as after a reload: only the typed text outlives the page. */
function createComments() {
  const comment = {
    id: 'comment-1',
    text: 'Stored text',
    mentions: [],
    author: { id: 'ada', name: 'Ada' },
    canDelete: true,
    canEdit: true,
    createdAt: '2026-01-02T03:04:05Z',
    editedAt: null,
  }
  const api = {
    listIssueComments: () => Promise.resolve({ content: [{ ...comment }] }),
    scanUsers: () => Promise.resolve({ content: [] }),
    editIssueComment: ({ body }: { body: { text: string } }) => {
      comment.text = body.text
      return Promise.resolve({ ...comment })
    },
  }
  return () =>
    renderInPage(
      <QueryClientProvider client={new QueryClient()}>
        <SessionContext value={{ api, permissions: { id: 'ada' } } as unknown as Session}>
          <ToastProvider>
            <IssueComments issue={issue} />
          </ToastProvider>
        </SessionContext>
      </QueryClientProvider>,
    )
}
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const field = page.getByRole('textbox', { name: 'Edit comment' })

it('keeps the edited text of a comment until it is saved', async () => {
  const renderComments = createComments()
  const view = await renderComments()
  await press('Edit comment')
  await expect.element(field).toHaveFocus()
  await field.fill('Edited text')
  await view.unmount()
  const reloadedView = await renderComments()
  await expect.element(field).toHaveValue('Edited text')
  // The keys of the issue would be typed into it.
  await expect.element(field).not.toHaveFocus()
  await press('Save comment')
  await expect.element(page.getByText('Edited text')).toBeVisible()
  await reloadedView.unmount()
  await renderComments()
  await expect.element(page.getByText('Edited text')).toBeVisible()
  await expect.element(field).not.toBeInTheDocument()
})

it('discards the edited text of a comment by Cancel', async () => {
  const renderComments = createComments()
  const view = await renderComments()
  await press('Edit comment')
  await field.fill('Edited text')
  await press('Cancel')
  await expect.element(page.getByText('Stored text')).toBeVisible()
  await view.unmount()
  await renderComments()
  await press('Edit comment')
  await expect.element(field).toHaveValue('Stored text')
})
