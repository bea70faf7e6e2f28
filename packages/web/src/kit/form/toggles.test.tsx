import { useState } from 'react'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible, renderInPage } from '../../../test/show.tsx'
import { Toggles } from './toggles.tsx'

const values = ['critical', 'serious', 'minor'] as const
type Value = (typeof values)[number]

function Filter() {
  const [value, setValue] = useState<Value[]>([])
  return (
    <>
      <Toggles label="Impact" value={value} onChange={setValue} options={values.map((one) => ({ value: one, label: one }))} />
      <p>Filter: {value.join()}</p>
    </>
  )
}

it('selects one option alone with one press, others in addition, and all as none', async () => {
  await renderInPage(<Filter />)
  const toggle = (name: Value) => page.getByRole('checkbox', { name })
  await expect.element(toggle('minor')).not.toBeChecked()
  await userEvent.click(toggle('minor'))
  await expect.element(page.getByText('Filter: minor')).toBeVisible()
  await userEvent.click(toggle('critical'))
  await expect.element(page.getByText('Filter: critical,minor')).toBeVisible()
  await expectAccessible()
  await userEvent.click(toggle('serious'))
  await expect.element(page.getByText('Filter:', { exact: true })).toBeVisible()
  for (const name of values) await expect.element(toggle(name)).not.toBeChecked()
})
