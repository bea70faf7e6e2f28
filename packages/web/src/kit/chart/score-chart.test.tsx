import { expect, it } from 'vitest'
import { renderInPage } from '../../../test/show.tsx'
import { ScoreChart, type ScorePoint } from './score-chart.tsx'

const day = (number: number) => new Date(Date.UTC(2026, 0, number)).toISOString()
const buildPoint = (number: number, changeLabel?: string): ScorePoint => ({
  key: number,
  score: 0.5,
  timestamp: day(number),
  changeLabel,
})
async function renderChart(points: ScorePoint[]): Promise<SVGSVGElement> {
  await renderInPage(
    <div style={{ width: 600 }}>
      <ScoreChart label="Score" points={points} />
    </div>,
  )
  return [...document.querySelectorAll<SVGSVGElement>('svg[role=img]')].at(-1)!
}
const countDots = (chart: SVGSVGElement) => chart.querySelectorAll('circle').length

it('draws every change as a line, and the labels that do not overlap', async () => {
  const chart = await renderChart([buildPoint(1), buildPoint(100, 'rules changed A'), buildPoint(101, 'B'), buildPoint(110, 'C')])
  expect(chart.textContent).not.toContain('rules changed A')
  expect([...chart.querySelectorAll('text')].map(({ textContent }) => textContent)).toEqual(expect.arrayContaining(['B', 'C']))
  expect(chart.querySelectorAll('g > path[class*=mark]')).toHaveLength(3)
})

it('leaves room for wide characters', async () => {
  const chart = await renderChart([buildPoint(1), buildPoint(100, 'ルール変更'), buildPoint(106, 'B'), buildPoint(110)])
  expect(chart.textContent).not.toContain('ルール変更')
})

it('draws dots as long as they do not touch, and the last one always', async () => {
  expect(countDots(await renderChart(Array.from({ length: 20 }, (_, i) => buildPoint(i * 18))))).toBe(20)
  expect(countDots(await renderChart([buildPoint(1), ...Array.from({ length: 20 }, (_, i) => buildPoint(300 + i))]))).toBe(21)
  expect(countDots(await renderChart(Array.from({ length: 80 }, (_, i) => buildPoint(i))))).toBe(1)
})
