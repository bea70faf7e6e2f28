import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { useState } from 'react'
import { Dialog } from '../dialog/dialog.tsx'
import { MenuButton } from './menu.tsx'
import { expectAccessible, renderInPage } from '../../../test/show.tsx'

it('opens by keyboard, supports type-ahead and restores the focus', async () => {
  const onDelete = vi.fn()
  await renderInPage(
    <MenuButton
      label="Actions for Example shop"
      button={{ square: true, icon: 'more', label: 'Actions for Example shop' }}
      groups={[
        {
          id: 'actions',
          entries: [
            { id: 'edit', label: 'Edit', text: 'Edit' },
            { id: 'delete', label: 'Delete…', text: 'Delete…', onAction: onDelete },
          ],
        },
      ]}
    />,
  )
  const button = page.getByRole('button', { name: 'Actions for Example shop' })
  await userEvent.keyboard('{Tab}{ArrowDown}')
  await expect.element(page.getByRole('menuitem', { name: 'Edit' })).toHaveFocus()
  await expectAccessible()
  await userEvent.keyboard('d')
  await expect.element(page.getByRole('menuitem', { name: 'Delete…' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  expect(onDelete).toHaveBeenCalledOnce()
  await expect.element(button).toHaveFocus()
})

it('opens at its first entry with Enter and Space, each time', async () => {
  const entry = (id: string) => ({ id, label: id, text: id, onAction: () => undefined })
  await renderInPage(
    <MenuButton
      label="Actions"
      button={{ label: 'Actions' }}
      groups={[{ id: 'actions', entries: [entry('Edit'), entry('Delete')] }]}
    />,
  )
  await userEvent.keyboard('{Tab}')
  for (const key of ['{Enter}', '{Enter}', ' ', ' ']) {
    await userEvent.keyboard(key)
    await expect.element(page.getByRole('menuitem', { name: 'Edit' })).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    await expect.element(page.getByRole('button', { name: 'Actions' })).toHaveFocus()
  }
})

it('regains the focus after a dialog opened by an entry', async () => {
  const name = 'Actions for Example shop'
  function Actions() {
    const [open, setOpen] = useState(false)
    const entry = { id: 'delete', label: 'Delete…', text: 'Delete…', onAction: () => setOpen(true) }
    return (
      <>
        <MenuButton label={name} button={{ label: name }} groups={[{ id: 'actions', entries: [entry] }]} />
        {open && (
          <Dialog title="Delete" onClose={() => setOpen(false)}>
            <button type="button">Yes</button>
          </Dialog>
        )}
      </>
    )
  }
  await renderInPage(<Actions />)
  const button = page.getByRole('button', { name })
  for (const _ of ['first', 'again']) {
    await button.click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    await expect.element(page.getByRole('dialog', { name: 'Delete' })).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
    await expect.element(button).toHaveFocus()
  }
})
