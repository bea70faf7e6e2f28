import type { PageDetail } from '@clearway/contract/monitor/page/schema.ts'
import type { KeyboardWalk, WalkStop } from '@clearway/contract/monitor/ruleset/drive/schema.ts'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible, renderPart } from '../../../../test/show.tsx'
import type { MonitorApi } from '../../user/model.ts'
import { PageWalk } from './walk.tsx'

const buildStop = (text: string, y: number, fields: Partial<WalkStop> = {}): WalkStop => ({
  text,
  kind: 'a',
  box: { x: 40, y, width: 200, height: 40 },
  faults: [],
  ...fields,
})
const stops = [
  buildStop('Boats', 100),
  buildStop('Piers', 300, { faults: [{ rule: 'drive-focus-visible', isReview: false }] }),
  buildStop('', 500, { kind: 'div button', faults: [{ rule: 'drive-stop-without-role', isReview: true }] }),
  buildStop('Old prices', 0, { box: null, faults: [{ rule: 'drive-invisible-stop', isReview: true }] }),
  buildStop('Far below', 9000),
]

async function drawPicture(): Promise<Blob> {
  const canvas = new OffscreenCanvas(1280, 800)
  canvas.getContext('2d')?.fillRect(0, 0, 600, 400)
  return canvas.convertToBlob({ type: 'image/png' })
}

async function open(walk: KeyboardWalk, width: number, views = 2) {
  const api = { readPageView: drawPicture } as unknown as MonitorApi
  const tested = { id: 'p', scanId: 's', runNumber: 3, views, driven: { walk } } as unknown as PageDetail
  await renderPart(() => <PageWalk page={tested} walk={walk} />, api, width)
}

it.each([1280, 320])('shows stops, lines and faults on a picture, and the same in a table, at %i px', async (width) => {
  await open({ view: 2, stops }, width)
  await expect.element(page.getByRole('img')).toBeVisible()
  const rows = page.getByRole('row').elements().slice(1)
  await expect.element(page.getByRole('link', { name: 'The keyboard focus is not visible' })).toBeVisible()
  expect(rows.map((row) => [...row.children].map(({ textContent }) => textContent.trim()))).toEqual([
    ['1', 'Boats a', 'None'],
    ['2', 'Piers a', 'The keyboard focus is not visible'],
    ['3', 'No text div button', expect.stringContaining('Possible issue')],
    ['4', 'Old prices a', expect.stringContaining('Possible issue')],
    ['5', 'Far below a', 'None'],
  ])
  await expect.element(page.getByText('The Tab key stops at 5 elements. 3 of them have issues.')).toBeVisible()
  // Stops without a size, and those below the picture, are in the table only.
  const texts = [...document.querySelectorAll('svg text')]
  expect(texts.map(({ textContent }) => textContent)).toEqual(['1', '2', '3'])
  const points = document.querySelector('svg polyline')!.getAttribute('points')!.split(' ')
  expect(points).toHaveLength(3)
  // Numbers keep their size on the screen.
  await expect.poll(() => Math.min(...texts.map((text) => text.getBoundingClientRect().height))).toBeGreaterThan(9)
  const picture = document.querySelector('img')!.getBoundingClientRect()
  const second = texts[1]!.getBoundingClientRect()
  expect((second.top + second.height / 2 - picture.top) / picture.height).toBeCloseTo(320 / 800, 1)
  await expectAccessible()
})

it.each([
  ['that was never taken', null, 2],
  ['that was removed', 2, 0],
])('has a table without a picture %s', async (_case, view, views) => {
  await open({ view, stops: stops.slice(0, 1) }, 1280, views)
  await expect.element(page.getByText('The Tab key stops at 1 element.')).toBeVisible()
  expect(page.getByRole('img').elements()).toHaveLength(0)
  expect(page.getByRole('alert').elements()).toHaveLength(0)
  expect(page.getByRole('button').elements()).toHaveLength(0)
})
