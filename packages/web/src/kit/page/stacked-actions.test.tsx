import { expect, it } from 'vitest'
import { renderInPage } from '../../../test/show.tsx'
import { DialogActions } from '../dialog/dialog.tsx'

it.each([
  { width: 1280, order: ['Cancel', 'Save'] },
  { width: 320, order: ['Save', 'Cancel'] },
])('buttons have one order for eyes, keyboard and screen readers at $width px', async ({ width, order }) => {
  await renderInPage(
    <DialogActions>
      <button>Cancel</button>
      <button>Save</button>
    </DialogActions>,
    width,
  )
  const buttons = [...document.querySelectorAll('button')].filter(({ textContent }) => order.includes(textContent))
  expect(buttons.map(({ textContent }) => textContent)).toEqual(order)
  const readPosition = (button: Element) => button.getBoundingClientRect().top * 10_000 + button.getBoundingClientRect().left
  expect(buttons.toSorted((one, other) => readPosition(one) - readPosition(other))).toEqual(buttons)
})
