import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import axe from 'axe-core'
import type { ReactNode } from 'react'
import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../src/app/tokens.css'
import '../src/app/elements.css'
import { messages } from '../src/locales/en.po?part=first'

/** Shows a whole screen with the English catalogue, at a width in CSS pixels. */
export async function showAlone(element: ReactNode, width = 1280) {
  await page.viewport(width, 900)
  i18n.loadAndActivate({ locale: 'en', messages })
  document.documentElement.lang = 'en'
  document.title = 'Test'
  return render(<I18nProvider i18n={i18n}>{element}</I18nProvider>)
}

/** Shows something inside a page. */
export const show = (element: ReactNode, width?: number) =>
  showAlone(
    <main>
      {/* Room around it, as on a screen: some fonts are taller than their line. */}
      <h1 tabIndex={-1} style={{ marginBlock: '1rem' }}>
        Test
      </h1>
      {element}
    </main>,
    width,
  )

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** What axe cannot decide and is decided elsewhere: contrast of text in SVG, which the tokens' own check covers. */
const decided = (rule: string, html: string) => rule === 'color-contrast' && html.startsWith('<text')

/** No violation, nothing left undecided, no sideways scrolling. Light and dark. */
export async function expectAccessible(): Promise<void> {
  // A color half way between two themes is nobody's.
  document.documentElement.dataset['switching'] = ''
  for (const theme of ['light', 'dark']) {
    document.documentElement.dataset['theme'] = theme
    const { violations, incomplete } = await axe.run(document, { runOnly: tags })
    const named = [...violations, ...incomplete].flatMap(({ id, nodes }) =>
      nodes.filter(({ html }) => !decided(id, html)).map(({ html }) => `${theme} ${id}: ${html}`),
    )
    expect(named).toEqual([])
  }
  const { scrollWidth, clientWidth } = document.documentElement
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
}
