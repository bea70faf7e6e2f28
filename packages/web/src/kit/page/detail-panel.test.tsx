import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderInPage } from '../../../test/show.tsx'
import { DetailPanel } from './detail-panel.tsx'

it('closes on Esc in its title, but not in a select inside', async () => {
  const onClose = vi.fn()
  await renderInPage(
    <DetailPanel title="An issue" detailId="a" onPrevious={null} onNext={null} onClose={onClose}>
      <select aria-label="Status" />
    </DetailPanel>,
  )
  await expect.poll(() => document.activeElement?.textContent).toBe('An issue')
  await userEvent.keyboard('{Tab}{Escape}')
  expect(document.activeElement?.tagName).toBe('SELECT')
  expect(onClose).not.toHaveBeenCalled()
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}{Escape}')
  expect(onClose).toHaveBeenCalledOnce()
})

it.each([1280, 320])('keeps the decision controls visible while scrolling: %d px', async (width) => {
  await renderInPage(
    <DetailPanel
      title="An issue"
      detailId="a"
      leadingContent={<b>Critical</b>}
      actions={<button type="button">Status: Open</button>}
      position="2 of 9"
      onPrevious={vi.fn()}
      onNext={vi.fn()}
      onClose={vi.fn()}
    >
      <p style={{ height: '3000px' }}>Much</p>
    </DetailPanel>,
    width,
  )
  await expect.element(page.getByText('Much')).toBeVisible()
  const getTop = (element: Element) => element.getBoundingClientRect().top
  expect(getTop(page.getByText('An issue').element())).toBeLessThan(getTop(page.getByText('Status: Open').element()))
  // Scrolls by itself next to a list, otherwise with the page.
  const panel = document.querySelector('section')!
  panel.scrollTo(0, 1500)
  window.scrollTo(0, 1500)
  expect(panel.scrollTop + window.scrollY).toBeGreaterThan(1000)
  const parts = [
    page.getByText('Critical'),
    ...['Status: Open', 'Previous', 'Next'].map((name) => page.getByRole('button', { name })),
  ]
  for (const part of parts) {
    const { top, bottom } = part.element().getBoundingClientRect()
    expect(top).toBeGreaterThanOrEqual(0)
    expect(bottom).toBeLessThan(200)
  }
})

it('fills the window, and ends above the footer at the end of the page', async () => {
  await renderInPage(
    <>
      <div style={{ height: '3000px' }}>
        <DetailPanel title="An issue" detailId="a" onPrevious={null} onNext={null} onClose={vi.fn()}>
          <p style={{ height: '3000px' }}>Much</p>
        </DetailPanel>
      </div>
      <footer style={{ height: '56px' }}>Footer</footer>
    </>,
    1280,
  )
  const measurePanel = () => document.querySelector('section')!.getBoundingClientRect()
  await expect.poll(() => innerHeight - measurePanel().height).toBeLessThan(40)
  window.scrollTo(0, 1500)
  await expect.poll(() => innerHeight - measurePanel().bottom).toBeLessThan(40)
  window.scrollTo(0, document.documentElement.scrollHeight)
  const footerTop = () => document.querySelector('footer')!.getBoundingClientRect().top
  await expect.poll(() => measurePanel().top).toBeGreaterThanOrEqual(0)
  expect(measurePanel().bottom).toBeLessThanOrEqual(footerTop())
})
