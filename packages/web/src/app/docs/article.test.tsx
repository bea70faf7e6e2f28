import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { createDocsRouter } from './standalone.tsx'
import { docsPages } from './texts.ts'
import { createAppRouter } from '../router.tsx'
import { expectAccessible, renderScreen } from '../../../test/show.tsx'

const about = { config: { productName: 'Clearway' }, login: () => undefined }
const open = (path: string) => {
  const history = createMemoryHistory({ initialEntries: [`/monitor${path}`] })
  return renderScreen(<RouterProvider router={createDocsRouter(about, history)} />, 320)
}

it('has a help page for every route', () => {
  const keys = Object.values(createAppRouter().routesById).map(({ options }) => options.staticData?.help)
  const named = [...new Set(keys.filter((key) => key !== undefined))]
  expect(named.length).toBeGreaterThan(14)
  expect(Object.keys(docsPages)).toEqual(expect.arrayContaining(named))
})

it('lists every page in its contents, and shows them for unknown URLs', async () => {
  await open('/docs/no-such-page')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Help' })).toBeVisible()
  for (const key of Object.keys(docsPages)) expect(document.querySelector(`a[href="/monitor/docs/${key}"]`)).not.toBeNull()
  await expectAccessible()
})

it.each(Object.keys(docsPages))('explains the topic: %s', async (key) => {
  await open(`/docs/${key}`)
  const title = docsPages[key]?.title.message ?? ''
  await expect.element(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible()
  expect(document.querySelectorAll('h2').length).toBe(docsPages[key]?.parts.length)
  await expectAccessible()
})
