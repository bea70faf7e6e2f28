import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { renderInPage } from '../../../test/show.tsx'
import { Count } from './count.tsx'

it('shows a zero in a cell, which would otherwise look like an unknown number', async () => {
  await renderInPage(
    <table>
      <tbody>
        <tr>
          <td>
            <Count value={0} />
          </td>
        </tr>
      </tbody>
    </table>,
  )
  expect(page.getByText('0', { exact: true }).element().getBoundingClientRect().width).toBeGreaterThan(4)
})
