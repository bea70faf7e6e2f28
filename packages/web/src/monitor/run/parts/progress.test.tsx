import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { renderInPage } from '../../../../test/show.tsx'
import { RunProgress } from './progress.tsx'

it('counts pages, not skipped URLs', async () => {
  // Of 38 URLs linked from three pages, 10 are excluded or on other sites.
  const pages = {
    found: 38,
    completed: 2,
    failed: 1,
    walled: 0,
    proved: 0,
    unproved: 0,
    retried: 0,
    excluded: 4,
    otherDomainIgnored: 6,
    notReached: 25,
    overLimit: 0,
    unique: 38,
  }
  await renderInPage(<RunProgress run={{ pages, startedAt: null }} label="Run 1, pages checked" />)
  await expect.element(page.getByText('3 of about 28 pages done')).toBeVisible()
  const bar = document.querySelector('progress')!
  expect([bar.value, bar.max]).toEqual([3, 28])
})

it('counts a single page', async () => {
  const proofs = { proved: 0, unproved: 0 }
  const none = {
    ...proofs,
    found: 1,
    completed: 0,
    failed: 0,
    walled: 0,
    retried: 0,
    excluded: 0,
    otherDomainIgnored: 0,
    overLimit: 0,
    unique: 1,
  }
  await renderInPage(<RunProgress run={{ pages: { ...none, notReached: 1 }, startedAt: null }} label="Run 1" />)
  await expect.element(page.getByText('0 of about 1 page done', { exact: true })).toBeVisible()
})
