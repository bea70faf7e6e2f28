import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * The page has drawn itself anew: right after a change of its size or theme, the layout is of the new one already, and what its
 * code makes of that (cards for a table) is not.
 */
const nextFrames = (page: Page) =>
  page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(null)))),
  )

/** No violation on what the page shows now, and nothing wider than the window. */
export async function expectAccessible(page: Page): Promise<void> {
  await nextFrames(page)
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource)
  const violations = await page.evaluate(
    async (values) =>
      (
        await (
          globalThis as unknown as {
            axe: { run(o: object): Promise<{ violations: { id: string; nodes: { target: unknown[] }[] }[] }> }
          }
        ).axe.run({
          runOnly: { type: 'tag', values },
          resultTypes: ['violations'],
        })
      ).violations.map((v) => `${v.id}: ${v.nodes.map((n) => JSON.stringify(n.target)).join(', ')}`),
    tags,
  )
  expect(violations, `${page.url()}\n${violations.join('\n')}`).toEqual([])
  const wider = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(wider, `sideways scrolling on ${page.url()}`).toBeLessThanOrEqual(0)
}
