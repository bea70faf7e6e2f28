import type { IssueDetail } from '@clearway/contract/monitor/issue/schema.ts'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { renderInPage } from '../../../../test/show.tsx'
import { IgnoreFacts } from './ignore.tsx'

const ignore = { author: { name: 'Ada' }, createdAt: '2026-01-02T03:04:05Z', scope: 'element', reason: 'Decorative' }

it.each([
  ['ignored', /^Ignored by Ada/],
  ['open', /^Was ignored by Ada/],
  ['fixed', /^Was ignored by Ada/],
] as const)('tells a valid ignore from a lost one: %s', async (status, sentence) => {
  await renderInPage(<IgnoreFacts issue={{ status, ignore } as unknown as IssueDetail} />)
  await expect.element(page.getByText(sentence)).toBeVisible()
})
