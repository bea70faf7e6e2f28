import { expect, it, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { show } from '../../../test/show.tsx'
import { DetailPanel } from './detail-panel.tsx'

it('closes by Esc from its title, and not from a choice inside', async () => {
  const onClose = vi.fn()
  await show(
    <DetailPanel title="An issue" shown="a" onPrevious={null} onNext={null} onClose={onClose}>
      <select aria-label="Status" />
    </DetailPanel>,
  )
  await expect.poll(() => document.activeElement?.textContent).toBe('An issue')
  await userEvent.keyboard('{Tab}{Escape}')
  expect(document.activeElement?.tagName).toBe('SELECT')
  expect(onClose).not.toHaveBeenCalled()
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}{Escape}')
  expect(onClose).toHaveBeenCalledOnce()
})
