import type { PageDetail } from '@clearway/contract/monitor/page/schema.ts'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible, renderPart } from '../../../../test/show.tsx'
import type { MonitorApi } from '../../user/model.ts'
import { PageIssues } from './issues.tsx'
import { PageViews } from './views.tsx'

const issues = [
  { id: 'base', rule: 'image-alt', states: [] },
  { id: 'phone', rule: 'color-contrast', states: ['390 px'] },
  { id: 'menu', rule: 'label', states: ['390 px', 'opened: Menu'] },
].map((issue) => ({ ...issue, help: issue.rule, severity: 'serious', selector: `#${issue.id}` }))
const tested = {
  id: 'p',
  scanId: 's',
  runNumber: 3,
  title: 'Harbor',
  views: 4,
  driven: {
    stateViews: [
      { state: '390 px', view: 3 },
      { state: 'opened: Menu', view: 4 },
    ],
  },
} as unknown as PageDetail

type IssueQuery = { query: { state?: string[]; engine?: string[] } }
const api = {
  listIssues: ({ query: { state, engine } }: IssueQuery) => {
    const content = issues.filter(
      ({ states }) => (!engine || states.length > 0) && (!state || state.some((one) => states.includes(one))),
    )
    return Promise.resolve({ content, totalIssues: content.length })
  },
  readPageViews: () =>
    Promise.resolve({
      content: [1, 2, 3, 4].map((number) => ({
        number,
        issues: number === 4 ? [{ ...issues[2], box: { x: 10, y: 10, width: 50, height: 20 } }] : [],
      })),
    }),
  readPageView: async ({ params }: { params: { number: number } }) => {
    const canvas = new OffscreenCanvas(300 + params.number, 200)
    canvas.getContext('2d')?.fillRect(0, 0, 100, 100)
    return canvas.convertToBlob({ type: 'image/png' })
  },
} as unknown as MonitorApi

it.each([1280, 320])('shows a page and its issues in the chosen state, by keyboard, at %i px', async (width) => {
  const component = () => (
    <>
      <PageViews page={tested} />
      <PageIssues page={tested} />
    </>
  )
  await renderPart(component, api, width)
  const readPictureWidth = () => document.querySelector('img')?.getAttribute('width')
  await expect.poll(readPictureWidth, { timeout: 10_000 }).toBe('301')
  await expect.element(page.getByText('Picture 1 of 2')).toBeVisible()
  const stateField = page.getByLabelText('State of the page')
  await expect
    .poll(() => [...stateField.element().querySelectorAll('option')].map(({ text }) => text))
    .toEqual(['As loaded', '390 pixels wide', 'Opened: Menu'])
  await userEvent.selectOptions(stateField, 'Opened: Menu')
  await expect.poll(readPictureWidth, { timeout: 10_000 }).toBe('304')
  expect(page.getByText('Picture 1 of 2').elements()).toHaveLength(0)
  await expect.element(page.getByText('#menu').first()).toBeVisible()
  await userEvent.selectOptions(stateField, 'As loaded')
  await page.getByRole('button', { name: 'Next picture' }).click()
  await expect.poll(readPictureWidth, { timeout: 10_000 }).toBe('302')

  const readSelectors = () =>
    [...document.querySelectorAll('ul code')].map(({ textContent }) => textContent).filter((text) => text.startsWith('#'))
  await expect.poll(readSelectors).toEqual(['#base', '#phone', '#menu'])
  await userEvent.selectOptions(page.getByLabelText('Seen in'), '390 pixels wide')
  await expect.poll(readSelectors).toEqual(['#phone', '#menu'])
  const allLink = page.getByRole('link', { name: 'All 2 issues in the issues list' })
  expect(decodeURIComponent(allLink.element().getAttribute('href') ?? '')).toContain('390')
  await expectAccessible()
})
