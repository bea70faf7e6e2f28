import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible, show } from '../../test/show.tsx'

const backgroundOf = (name: string) =>
  getComputedStyle(page.getByRole('checkbox', { name, exact: true }).element()).backgroundColor

it('a checkbox in dark is no gray box, as one that is switched off is', async () => {
  await show(
    <>
      <label>
        <input type="checkbox" /> Empty
      </label>
      <label>
        <input type="checkbox" defaultChecked /> Ticked
      </label>
      <label>
        <input type="checkbox" disabled /> Off
      </label>
    </>,
  )
  await expectAccessible()
  for (const theme of ['light', 'dark']) {
    document.documentElement.dataset['theme'] = theme
    const surface = document.createElement('p')
    surface.style.background = 'var(--surface)'
    document.body.append(surface)
    expect(backgroundOf('Empty')).toBe(getComputedStyle(surface).backgroundColor)
    surface.remove()
    expect(new Set(['Empty', 'Ticked', 'Off'].map(backgroundOf)).size).toBe(3)
  }
})
