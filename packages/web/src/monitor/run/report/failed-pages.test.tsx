import type { ScanId } from '@clearway/contract/kit/id.ts'
import { expect, it } from 'vitest'
import type { MonitorApi } from '../../user/model.ts'
import { expectAccessible, renderPart } from '../../../../test/show.tsx'
import { FailedPages } from './failed-pages.tsx'

it('names the failed pages by reason, and how many more there are', async () => {
  const api = {
    listPages: async () => ({
      content: [
        { id: '1', url: 'https://city.example/a', failure: 'http-404' },
        { id: '2', url: 'https://city.example/b', failure: 'timeout-generic' },
        { id: '3', url: 'https://city.example/c', failure: 'http-404' },
      ],
    }),
  } as unknown as MonitorApi
  const failures = [
    { reason: 'http-404', pages: 4 },
    { reason: 'timeout-generic', pages: 1 },
    { reason: 'page-crashed', pages: 2 },
  ]
  await renderPart(() => <FailedPages runKey={{ scanId: 's' as ScanId, run: 3 }} count={7} failures={failures} />, api, 640)
  const readLists = () =>
    [...document.querySelectorAll('li > ul')].map((list) => [...list.children].map(({ textContent }) => textContent))
  await expect
    .poll(readLists)
    .toEqual([['https://city.example/a', 'https://city.example/c', 'and 2 more pages'], ['https://city.example/b']])
  expect(document.querySelector('h3')?.textContent).toBe('Failed pages (7)')
  await expectAccessible()
})
