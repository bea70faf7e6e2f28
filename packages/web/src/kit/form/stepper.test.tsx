import { expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { renderInPage } from '../../../test/show.tsx'
import { StepActions } from './stepper.tsx'

const colorOf = (name: string) => getComputedStyle(page.getByRole('button', { name }).element()).backgroundColor

it('the primary button saves on each step that can be saved', async () => {
  const actions = { nextStepName: 'Scope', finishLabel: 'Save changes', isPending: false, onNext: vi.fn(), onFinish: vi.fn() }
  const { unmount } = await renderInPage(<StepActions {...actions} />)
  const primary = colorOf('Next: Scope')
  await unmount()
  await renderInPage(<StepActions {...actions} canFinishEarly />)
  expect(colorOf('Save changes')).toBe(primary)
  expect(colorOf('Next: Scope')).not.toBe(primary)
})
