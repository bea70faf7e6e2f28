import type { IssueDetail } from '@clearway/contract/monitor/issue/schema.ts'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { renderInPage } from '../../../../test/show.tsx'
import { IgnoreFacts } from './ignore.tsx'

const ignore = {
  author: { name: 'Ada' },
  createdAt: '2026-01-02T03:04:05Z',
  scope: 'issue',
  reason: 'Decorative',
  until: null,
  expired: false,
}

it.each([
  ['ignored', /^Ignored by Ada/],
  ['open', /^Was ignored by Ada/],
  ['fixed', /^Was ignored by Ada/],
] as const)('tells a valid ignore from a lost one: %s', async (status, sentence) => {
  await renderInPage(<IgnoreFacts issue={{ status, ignore } as unknown as IssueDetail} />)
  await expect.element(page.getByText(sentence)).toBeVisible()
})

it('names the end of an ignore, and says when it has passed', async () => {
  const dated = { ...ignore, until: new Date('2026-05-02T00:00').toISOString() }
  await renderInPage(<IgnoreFacts issue={{ status: 'ignored', ignore: dated } as unknown as IssueDetail} />)
  await expect.element(page.getByText(/^Ignored by Ada.* Until May 1, 2026\.$/)).toBeVisible()
  const expired = { ...dated, expired: true }
  await renderInPage(<IgnoreFacts issue={{ status: 'open', ignore: expired } as unknown as IssueDetail} />)
  await expect.element(page.getByText(/until May 1, 2026\. That time is over, so decide again\.$/)).toBeVisible()
})
