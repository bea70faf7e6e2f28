import { useState } from 'react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { page } from 'vitest/browser'
import { renderInPage } from '../../../test/show.tsx'
import { useColumnChoice } from './column-choice.tsx'
import type { Column } from './table.tsx'

const column = (key: string): Column<object> => ({ key, heading: key, renderCell: () => '' })
const lists = {
  tested: { columns: ['health', 'time', 'reason'].map(column), usual: ['health'] },
  excluded: { columns: ['time', 'reason'].map(column), usual: ['reason'] },
}

function Lists() {
  const [name, setName] = useState<keyof typeof lists>('tested')
  const { columns, usual } = lists[name]
  const { visibleColumns, choose } = useColumnChoice(`test.${name}`, columns, usual)
  return (
    <>
      <p>{visibleColumns.map(({ key }) => key).join(' ')}</p>
      <button onClick={() => setName(name === 'tested' ? 'excluded' : 'tested')}>Other list</button>
      <button onClick={() => choose(['time', ...usual])}>Show the time</button>
    </>
  )
}

it.each(['on', 'off'])('keeps separate columns for each list of a screen, storage %s', async (storage) => {
  localStorage.clear()
  if (storage === 'off')
    for (const method of ['getItem', 'setItem', 'removeItem'] as const) {
      const off = vi.spyOn(Storage.prototype, method).mockImplementation(() => {
        throw new Error('Storage is switched off')
      })
      onTestFinished(() => off.mockRestore())
    }
  await renderInPage(<Lists />)
  const press = (name: string) => page.getByRole('button', { name }).click()
  const columns = () => expect.poll(() => page.getByRole('paragraph').element().textContent)
  await columns().toBe('health')
  await press('Other list')
  await columns().toBe('reason')
  await press('Show the time')
  await columns().toBe('time reason')
  await press('Other list')
  await columns().toBe('health')
  await press('Show the time')
  await columns().toBe('health time')
  await press('Other list')
  await columns().toBe('time reason')
})
