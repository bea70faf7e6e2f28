import type { PageId } from '@clearway/contract/kit/id.ts'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { renderPart } from '../../../../test/show.tsx'
import type { MonitorApi } from '../../user/model.ts'
import { PagePanel } from './panel.tsx'

const [pageId, referrerId] = ['page-1' as PageId, 'page-2' as PageId]
const [shop, news] = ['https://site.example/shop', 'https://site.example/news']
const failedPage = {
  id: pageId,
  scanId: 'scan-1',
  scanName: 'Site',
  runNumber: 7,
  url: 'https://site.example/cart',
  title: 'Cart',
  status: 'failed',
  health: null,
  failure: null,
  exclusion: null,
  detail: null,
  notices: [],
  views: [],
  requests: null,
  aliases: { first: [], pages: [], count: 0 },
  referrers: { first: [news, shop], pages: [null, referrerId], count: 2 },
}
const showPanel = (foundOn: string | null) =>
  renderPart(() => <PagePanel id={pageId} position={undefined} onPrevious={null} onNext={null} onClose={() => undefined} />, {
    readPage: () => Promise.resolve({ ...failedPage, foundOn }),
    // The rights on the scan stay unknown: the panel then has no actions.
    readScan: () => new Promise(() => undefined),
  } as unknown as MonitorApi)
const foundOnFact = page.getByRole('definition').filter({ hasText: /site\.example|Start URL/ })

it('links the page on which another one was found', async () => {
  await showPanel(shop)
  const link = foundOnFact.getByRole('link', { name: shop })
  await expect.element(link).toBeVisible()
  const { pathname, searchParams } = new URL((link.element() as HTMLAnchorElement).href)
  expect([pathname, searchParams.get('run'), searchParams.get('view')]).toEqual(['/pages', '7', referrerId])
})

it.each([
  [news, 'site.example/news'],
  ['https://site.example/other', 'site.example/other'],
  [null, 'Start URL'],
])('shows a page without details as text: %s', async (foundOn, text) => {
  await showPanel(foundOn)
  await expect.element(foundOnFact).toHaveTextContent(text)
  await expect.element(foundOnFact.getByRole('link')).not.toBeInTheDocument()
})
