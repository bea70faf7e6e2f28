import { describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { renderInPage } from '../../../../test/show.tsx'
import { RunNotices } from './table.tsx'

describe('notices about the runs of listed pages', () => {
  const fonts = page.getByText('The server has few fonts', { exact: false })
  it('appear once, regardless of the number of pages', async () => {
    const rows = [{ notices: ['embedded-browser-fonts'] }, { notices: ['did-not-settle', 'embedded-browser-fonts'] }] as const
    await renderInPage(<RunNotices rows={rows.map(({ notices }) => ({ notices: [...notices] }))} />)
    expect(fonts.elements()).toHaveLength(1)
    // Notices about a single page appear next to it.
    expect(document.querySelector('main')?.textContent).not.toContain('never stopped')
  })
  it('do not appear if no page has them', async () => {
    await renderInPage(<RunNotices rows={[{ notices: ['did-not-settle'] }, { notices: [] }]} />)
    expect(fonts.elements()).toHaveLength(0)
  })
})
