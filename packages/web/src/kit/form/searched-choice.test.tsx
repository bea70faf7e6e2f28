import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderInPage } from '../../../test/show.tsx'
import { SearchedChoice } from './searched-choice.tsx'

const entries = Array.from({ length: 300 }, (_, i) => ({ id: i, name: `Place ${i}`, details: [`UTC+${i % 12}`] }))

async function renderChoice() {
  const onChoose = vi.fn()
  await renderInPage(
    <SearchedChoice
      title="Place"
      searchLabel="Find a place"
      noMatchText="No place matches"
      entries={entries}
      selectedId={250}
      isExactMatch={({ details }, words) => words.includes(details[0]!.toLowerCase())}
      onChoose={onChoose}
      onClose={() => undefined}
    />,
  )
  return onChoose
}
const getFirstEntry = () => page.getByRole('listitem').first().element().textContent

it('shows the selected entry first, and how many are not shown', async () => {
  await renderChoice()
  await expect.poll(getFirstEntry).toBe('Place 250 UTC+10')
  await expect.element(page.getByText('100 more. Search to find them.')).toBeVisible()
})

it('chooses the first match by Enter, but nothing before something is typed', async () => {
  const onChoose = await renderChoice()
  await userEvent.keyboard('{Enter}')
  expect(onChoose).not.toHaveBeenCalled()
  await userEvent.type(page.getByRole('searchbox'), 'utc+1')
  // UTC+10 and UTC+11 match as well.
  await expect.poll(getFirstEntry).toBe('Place 1 UTC+1')
  await userEvent.keyboard('{Enter}')
  expect(onChoose.mock.calls).toEqual([[1]])
})

it('does not take the end of a composition for a choice', async () => {
  const onChoose = await renderChoice()
  await userEvent.type(page.getByRole('searchbox'), '299')
  page
    .getByRole('searchbox')
    .element()
    .dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true }))
  expect(onChoose).not.toHaveBeenCalled()
})
