import { useState } from 'react'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible, renderInPage } from '../../../test/show.tsx'
import { Segmented } from '../form/segmented.tsx'
import { Toolbar } from './toolbar.tsx'

function ListTools() {
  const [tab, setTab] = useState('tested')
  const [hasMore, setHasMore] = useState(true)
  return (
    <>
      <button type="button">Before</button>
      <Toolbar label="Filters">
        <select aria-label="Scan">
          <option>All</option>
          <option>Shop</option>
        </select>
        <input type="search" aria-label="Find" />
        <input type="date" aria-label="Until" />
        <Segmented
          label="Show"
          value={tab}
          onChange={setTab}
          options={['tested', 'failed'].map((value) => ({ value, label: value }))}
        />
        {hasMore && (
          <button type="button" onClick={() => setHasMore(false)}>
            Clear all
          </button>
        )}
      </Toolbar>
      <button type="button" style={{ marginTop: '4rem' }}>
        After
      </button>
    </>
  )
}

const button = (name: string) => page.getByRole('button', { name })

it('is one tab stop, in which arrow keys reach every control', async () => {
  await renderInPage(<ListTools />)
  await expect.element(page.getByRole('toolbar', { name: 'Filters' })).toBeVisible()
  await userEvent.click(button('Before'))
  await userEvent.keyboard('{Tab}')
  await expect.element(page.getByLabelText('Scan')).toHaveFocus()
  await userEvent.keyboard('{ArrowRight}{ArrowRight}')
  await expect.element(page.getByRole('radio', { name: 'failed' })).toHaveFocus()
  // The arrows choose nothing; Space does.
  await expect.element(page.getByRole('radio', { name: 'tested' })).toBeChecked()
  await userEvent.keyboard(' ')
  await expect.element(page.getByRole('radio', { name: 'failed' })).toBeChecked()
  await userEvent.keyboard('{End}')
  await expect.element(button('Clear all')).toHaveFocus()
  await expectAccessible()
  await userEvent.keyboard('{Tab}')
  await expect.element(button('After')).toHaveFocus()
  // Tab returns to the control that was left; the fields are stops of their own.
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}')
  await expect.element(button('Clear all')).toHaveFocus()
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}')
  await expect.element(page.getByLabelText('Until')).toHaveFocus()
  await userEvent.keyboard('{ArrowLeft}')
  await expect.element(page.getByLabelText('Until')).toHaveFocus()
  while (document.activeElement?.getAttribute('type') === 'date') await userEvent.keyboard('{Shift>}{Tab}{/Shift}')
  await expect.element(page.getByRole('searchbox')).toHaveFocus()
})

it('stays reachable when the control that was used last disappears', async () => {
  await renderInPage(<ListTools />)
  await userEvent.click(button('Clear all'))
  await expect.element(page.getByRole('radio', { name: 'failed' })).toHaveFocus()
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}')
  await expect.element(page.getByLabelText('Scan')).toHaveFocus()
  // Home, End, up and down belong to the select; left and right leave it.
  await userEvent.keyboard('{End}')
  await expect.element(page.getByLabelText('Scan')).toHaveValue('Shop')
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(page.getByRole('radio', { name: 'tested' })).toHaveFocus()
})

function Chips() {
  const [chips, setChips] = useState(['a', 'b', 'c', 'd'])
  return (
    <Toolbar label="Chips">
      <input type="date" aria-label="Until" />
      {chips.map((chip) => (
        <button key={chip} type="button" onClick={() => setChips(chips.filter((other) => other !== chip))}>
          {chip}
        </button>
      ))}
    </Toolbar>
  )
}

it('keeps the focus while controls are removed one after another', async () => {
  await renderInPage(<Chips />)
  const isHintVisible = () => document.querySelector('main [role=toolbar] > [aria-hidden=true]')!.checkVisibility()
  await userEvent.keyboard('{Tab}')
  await expect.element(page.getByLabelText('Until')).toHaveFocus()
  expect(isHintVisible()).toBe(false)
  while (document.activeElement?.getAttribute('type') === 'date') await userEvent.keyboard('{Tab}')
  await expect.element(button('a')).toHaveFocus()
  expect(isHintVisible()).toBe(true)
  await userEvent.keyboard('{ArrowRight}{Enter}')
  await expect.element(button('c')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(button('d')).toHaveFocus()
  // The last one has no successor.
  await userEvent.keyboard('{Enter}')
  await expect.element(button('a')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(button('a')).not.toBeInTheDocument()
})

it('shows its arrows until Escape', async () => {
  await renderInPage(<ListTools />)
  const hint = () => document.querySelector('main [role=toolbar] > [aria-hidden=true]')
  await userEvent.click(button('Before'))
  await userEvent.keyboard('{Tab}')
  await expect.poll(() => hint()?.checkVisibility()).toBe(true)
  await userEvent.keyboard('{Escape}')
  await expect.poll(hint).toBe(null)
  await expect.element(page.getByLabelText('Scan')).toHaveFocus()
})

it('leaves a single control alone', async () => {
  await renderInPage(
    <Toolbar label="Actions">
      <button type="button">Export</button>
    </Toolbar>,
  )
  await expect.element(page.getByRole('group', { name: 'Actions' })).toBeVisible()
  await userEvent.keyboard('{Tab}')
  await expect.element(button('Export')).toHaveFocus()
})
