import { expect, it } from 'vitest'
import type { PageView } from '@clearway/contract/monitor/page/schema.ts'
import { buildMarkers, type LabelArea, placeLabels } from './marker.ts'

type Issue = PageView['issues'][number]
const issue = (index: number, box: Issue['box']): Issue => ({
  id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}` as Issue['id'],
  rule: 'image-alt',
  help: 'Images must have alternative text',
  severity: 'critical',
  selector: `img:nth-child(${index})`,
  box,
})
const overlapping = (spots: readonly LabelArea[]) =>
  spots.flatMap((a, i) =>
    spots
      .slice(i + 1)
      .filter((b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height)
      .map((b) => [a, b]),
  )
const sides = { width: 1280, height: 900, rem: 16 }

it.each([
  ['all in one corner', (index: number) => ({ x: index, y: index, width: 10, height: 10 })],
  ['in a dense row', (index: number) => ({ x: 20 * index, y: 400, width: 16, height: 16 })],
  ['at the far edge', (index: number) => ({ x: 1270, y: 890 - index, width: 10, height: 10 })],
])('numbers in a picture never overlap, including two-digit ones: %s', (_, boxOf) => {
  const view = { number: 1, issues: Array.from({ length: 40 }, (_n, index) => issue(index, boxOf(index))) }
  const { markers } = buildMarkers(view)
  expect(markers).toHaveLength(40)
  // Sizes: the panel's width, a phone's width and full size.
  for (const scale of [0.32, 0.22, 1]) {
    const spots = placeLabels(markers, { ...sides, scale }).filter((spot) => spot !== null)
    expect(spots).toHaveLength(40)
    expect(overlapping(spots)).toEqual([])
    for (const { x, y, width, height } of spots) {
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(0)
      expect(x + width).toBeLessThanOrEqual(sides.width * scale)
      expect(y + height).toBeLessThanOrEqual(sides.height * scale)
    }
  }
})

it('a displaced number stays next to its own box', () => {
  const boxOf = (index: number) => ({ x: 400, y: index === 0 ? 400 : 320, width: 200, height: 20 })
  const view = { number: 1, issues: [issue(0, boxOf(0)), issue(1, boxOf(1))] }
  const spots = placeLabels(buildMarkers(view).markers, { ...sides, scale: 0.2 })
  expect(overlapping(spots.map((spot) => spot!))).toEqual([])
  expect(spots.map((spot) => spot!.x + spot!.width)).toEqual([80, 80])
})

it('omits numbers if there is not enough room', () => {
  const boxOf = (index: number) => ({ x: index, y: 0, width: 10, height: 10 })
  const view = { number: 1, issues: Array.from({ length: 40 }, (_n, index) => issue(index, boxOf(index))) }
  const { markers } = buildMarkers(view)
  // Room for three rows of four or five numbers.
  const drawn = placeLabels(markers, { width: 120, height: 66, rem: 16, scale: 1 }).filter((spot) => spot !== null)
  expect(drawn.length).toBeGreaterThan(4)
  expect(drawn.length).toBeLessThan(40)
  expect(overlapping(drawn)).toEqual([])
})
