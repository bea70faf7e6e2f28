import { useState } from 'react'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { show } from '../../../test/show.tsx'
import { QueryState } from './states.tsx'

function Failing() {
  const [isError, setError] = useState(true)
  const query = { isPending: false, isError, error: new Error('no'), refetch: () => setError(false) }
  return <QueryState query={query} loading="Loading" failed="It could not be loaded." />
}

it('leaves the focus on the title when what failed is tried again with success', async () => {
  await show(<Failing />)
  const again = page.getByRole('button', { name: 'Try again' })
  await expect.element(again).toBeVisible()
  again.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('heading')).toHaveFocus()
})
