import { useState } from 'react'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderInPage } from '../../../test/show.tsx'
import { DeferredContent } from './deferred-content.tsx'

const rowMs = 10
const rowCount = 30

function occupyThread(durationMs: number): void {
  const endTime = performance.now() + durationMs
  while (performance.now() < endTime);
}
function SlowRow({ position }: { position: number }) {
  occupyThread(rowMs)
  return <li>Row {position}</li>
}
const SlowList = () => Array.from({ length: rowCount }, (_, index) => <SlowRow key={index} position={index + 1} />)

function List() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        Open
      </button>
      <ul>
        {isOpen && (
          <DeferredContent placeholder={<li>Loading the rows</li>}>
            <SlowList />
          </DeferredContent>
        )}
      </ul>
    </>
  )
}

it('shows the placeholder, and lets other tasks run while the content renders', async () => {
  const { container } = await renderInPage(<List />)
  const contentsAtTicks: string[] = []
  // Each tick is a task, as an input event would be.
  const ticks = setInterval(() => contentsAtTicks.push(container.querySelector('ul')?.textContent ?? ''))
  await userEvent.click(page.getByRole('button', { name: 'Open' }))
  await expect.element(page.getByText(`Row ${rowCount}`, { exact: true })).toBeVisible()
  clearInterval(ticks)
  await expect.element(page.getByText('Loading the rows')).not.toBeInTheDocument()
  expect(contentsAtTicks.filter((content) => content === 'Loading the rows').length).toBeGreaterThan(rowCount / 3)
})
