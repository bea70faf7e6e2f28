import { CatchBoundary } from '@tanstack/react-router'
import { lazy, useState } from 'react'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderInPage } from '../../../test/show.tsx'
import { OptionalPart } from './optional-part.tsx'

const UnreachablePart = lazy(() => Promise.reject<{ default: () => null }>(new Error('Not found')))
const Failure = () => <p>This screen could not be loaded</p>

function List() {
  const [isSelected, setIsSelected] = useState(false)
  return (
    <CatchBoundary getResetKey={() => ''} errorComponent={Failure}>
      <OptionalPart isNeeded={isSelected}>
        <UnreachablePart />
      </OptionalPart>
      <OptionalPart>
        <p>Reachable</p>
      </OptionalPart>
      <button type="button" onClick={() => setIsSelected(true)}>
        Select
      </button>
    </CatchBoundary>
  )
}

it('keeps the screen when a part cannot be loaded, until the part is needed', async () => {
  await renderInPage(<List />)
  const failure = page.getByText('This screen could not be loaded')
  await expect.element(page.getByText('Reachable')).toBeVisible()
  // The failed import is known by the next task.
  await new Promise((resolve) => setTimeout(resolve))
  await expect.element(page.getByRole('button', { name: 'Select' })).toBeVisible()
  await expect.element(failure).not.toBeInTheDocument()
  await userEvent.click(page.getByRole('button', { name: 'Select' }))
  await expect.element(failure).toBeVisible()
})
