import { describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { show } from '../../../../test/show.tsx'
import { RunNotices } from './table.tsx'

describe('what concerns the runs of listed pages', () => {
  const fonts = page.getByText('The server has few fonts', { exact: false })
  it('is said once, of however many pages it is said', async () => {
    const rows = [
      { notices: ['embedded-browser-fonts'] },
      { notices: ['did-not-settle', 'embedded-browser-fonts'] },
    ] as const
    await show(<RunNotices rows={rows.map(({ notices }) => ({ notices: [...notices] }))} />)
    expect(fonts.elements()).toHaveLength(1)
    // What concerns one page is said beside it.
    expect(document.querySelector('main')?.textContent).not.toContain('never stopped')
  })
  it('is not said where no page has it', async () => {
    await show(<RunNotices rows={[{ notices: ['did-not-settle'] }, { notices: [] }]} />)
    expect(fonts.elements()).toHaveLength(0)
  })
})
