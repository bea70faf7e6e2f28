import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { renderInPage } from '../../../test/show.tsx'
import { Button } from '../control/button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

it.each([1280, 320])('keeps the actions of a dialog in view that is taller than the window, at %d px', async (widthPx) => {
  const close = () => undefined
  await renderInPage(
    <Dialog title="Filters" onClose={close}>
      <div style={{ height: '200rem' }}>Fields</div>
      <DialogActions>
        <Button onPress={close}>Cancel</Button>
        <Button kind="primary" onPress={close}>
          Apply
        </Button>
      </DialogActions>
    </Dialog>,
    widthPx,
  )
  for (const name of ['Cancel', 'Apply']) {
    const button = page.getByRole('button', { name }).element()
    const { left, top, width, height } = button.getBoundingClientRect()
    expect(top + height).toBeLessThanOrEqual(innerHeight)
    // Nothing covers it.
    expect(button.contains(document.elementFromPoint(left + width / 2, top + height / 2))).toBe(true)
  }
})
