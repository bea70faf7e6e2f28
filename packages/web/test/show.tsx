import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import axe from 'axe-core'
import type { ReactNode } from 'react'
import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../src/app/tokens.css'
import '../src/app/elements.css'
import { type MonitorApi, type Session, SessionContext } from '../src/monitor/user/model.ts'
import { messages } from '../src/locales/en.po?part=first'

/** Renders a whole screen with the English catalog, at a width in CSS pixels. */
export async function renderScreen(element: ReactNode, widthPx = 1280) {
  await page.viewport(widthPx, 900)
  i18n.loadAndActivate({ locale: 'en', messages })
  document.documentElement.lang = 'en'
  document.title = 'Test'
  return render(<I18nProvider i18n={i18n}>{element}</I18nProvider>)
}

/** Renders an element inside a page. */
export const renderInPage = (element: ReactNode, width?: number) =>
  renderScreen(
    <main>
      {/* Space around it as on a screen: some fonts are taller than their line. */}
      <h1 tabIndex={-1} style={{ marginBlock: '1rem' }}>
        Test
      </h1>
      {element}
    </main>,
    width,
  )

/** Renders a part of a screen below a heading of level 2, with links and calls of the API. */
export function renderPart(component: () => ReactNode, api: MonitorApi, width?: number) {
  const router = createRouter({ routeTree: createRootRoute({ component }), history: createMemoryHistory() })
  return renderInPage(
    <QueryClientProvider client={new QueryClient()}>
      <SessionContext value={{ api } as Session}>
        <h2>Page</h2>
        <RouterProvider router={router as never} />
      </SessionContext>
    </QueryClientProvider>,
    width,
  )
}

const axeTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** Results that axe cannot decide and another check covers: contrast of SVG text, which the test of the design tokens checks. */
const isCoveredElsewhere = (rule: string, html: string) => rule === 'color-contrast' && html.startsWith('<text')

/** Expects no violations, no undecided results and no horizontal scrolling, in light and dark. */
export async function expectAccessible(): Promise<void> {
  // Suspends transitions: a color between two themes belongs to neither.
  document.documentElement.dataset['switching'] = ''
  for (const testedTheme of ['light', 'dark']) {
    document.documentElement.dataset['theme'] = testedTheme
    const { violations, incomplete } = await axe.run(document, { runOnly: axeTags })
    const findingTexts = [...violations, ...incomplete].flatMap(({ id, nodes }) =>
      nodes.filter(({ html }) => !isCoveredElsewhere(id, html)).map(({ html }) => `${testedTheme} ${id}: ${html}`),
    )
    expect(findingTexts).toEqual([])
  }
  const { scrollWidth, clientWidth } = document.documentElement
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
}
