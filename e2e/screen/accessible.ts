import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
type RunOnly = { type: 'tag' | 'rule'; values: string[] }
const allRules: RunOnly = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }
/** The rules that read colors. */
export const colorRules: RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/**
 * Waits until the page is drawn again. Right after a change of size or theme the layout is current, but the code's reaction
 * to it (cards instead of a table) is not.
 */
const waitForFrames = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(null)))))

/** Asserts that the visible page has no violation of the rules, and nothing wider than the window. */
export async function expectAccessible(page: Page, runOnly = allRules): Promise<void> {
  await waitForFrames(page)
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource)
  const violations = await page.evaluate(
    async (rules) =>
      (
        await (
          globalThis as unknown as {
            axe: {
              run(o: object): Promise<{ violations: { id: string; nodes: { target: unknown[]; failureSummary?: string }[] }[] }>
            }
          }
        ).axe.run({
          runOnly: rules,
          resultTypes: ['violations'],
        })
      ).violations.map(
        (v) => `${v.id}: ${v.nodes.map((n) => `${JSON.stringify(n.target)} (${n.failureSummary ?? ''})`).join(', ')}`,
      ),
    runOnly,
  )
  expect(violations, `${page.url()}\n${violations.join('\n')}`).toEqual([])
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(wider, `sideways scrolling on ${page.url()}`).toBeLessThanOrEqual(0)
}
