import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { MenuButton } from './menu.tsx'
import { expectAccessible, show } from '../../../testing.tsx'

it('opens by keyboard, finds an entry by typing, and gives the focus back', async () => {
  const onDelete = vi.fn()
  await show(
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
