import type { ScanId } from '@clearway/contract/kit/id.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderInPage } from '../../../../test/show.tsx'
import { type Session, SessionContext } from '../../user/model.ts'
import { NoteDialog } from './goal-dialogs.tsx'

const scanId = '0198c6f2-7d1c-7a53-9b1e-2f60a4d8c111' as ScanId
const sentNotes: unknown[] = []
const api = {
  createAnnotation: ({ body }: { body: unknown }) => {
    sentNotes.push(body)
    return Promise.resolve({})
  },
}
let closeCount = 0
/** Renders the dialog as after a reload: only the typed text outlives the page. */
const renderDialog = () =>
  renderInPage(
    <QueryClientProvider client={new QueryClient()}>
      <SessionContext value={{ api, permissions: { id: 'ada' } } as unknown as Session}>
        <NoteDialog scanId={scanId} onClose={() => closeCount++} />
      </SessionContext>
    </QueryClientProvider>,
  )
const noteField = page.getByLabelText('Note')
const dayField = page.getByLabelText('Day')
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()

it('keeps the typed note and its day over a reload and Escape, until it is saved', async () => {
  const view = await renderDialog()
  const today = (dayField.element() as HTMLInputElement).value
  await noteField.fill('Release 2.3')
  await dayField.fill('2026-03-11')
  await userEvent.keyboard('{Escape}')
  expect(closeCount).toBe(1)
  await view.unmount()
  const reloadedView = await renderDialog()
  await expect.element(noteField).toHaveValue('Release 2.3')
  await expect.element(dayField).toHaveValue('2026-03-11')
  await press('Add note')
  await expect.poll(() => sentNotes).toEqual([{ day: '2026-03-11', text: 'Release 2.3' }])
  await expect.poll(() => closeCount).toBe(2)
  await reloadedView.unmount()
  await renderDialog()
  await expect.element(noteField).toHaveValue('')
  await expect.element(dayField).toHaveValue(today)
})

it('discards the typed note by Cancel', async () => {
  const view = await renderDialog()
  await noteField.fill('Release 2.3')
  await press('Cancel')
  await view.unmount()
  await renderDialog()
  await expect.element(noteField).toHaveValue('')
})
