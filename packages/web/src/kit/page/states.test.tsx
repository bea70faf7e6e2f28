import { useState } from 'react'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderInPage } from '../../../test/show.tsx'
import { QueryState } from './states.tsx'

function Failing() {
  const [isError, setError] = useState(true)
  const query = { isPending: false, isError, error: new Error('no'), refetch: () => setError(false) }
  return <QueryState query={query} loadingLabel="Loading" failureTitle="It could not be loaded." />
}

it('moves the focus to the title after a successful retry', async () => {
  await renderInPage(<Failing />)
  const again = page.getByRole('button', { name: 'Try again' })
  await expect.element(again).toBeVisible()
  again.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('heading')).toHaveFocus()
})
