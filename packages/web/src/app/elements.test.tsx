import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible, renderInPage } from '../../test/show.tsx'

it.each(['checkbox', 'radio'] as const)('a %s in the dark theme is not gray like a disabled one', async (type) => {
  const backgroundOf = (name: string) => getComputedStyle(page.getByRole(type, { name, exact: true }).element()).backgroundColor
  await renderInPage(
    <>
      <label>
        <input type={type} /> Empty
      </label>
      <label>
        <input type={type} defaultChecked /> Ticked
      </label>
      <label>
        <input type={type} disabled /> Off
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
