import type { Locator } from 'playwright-core'
import { expect } from 'vitest'

// Distances in pixels that people see, although no text or state tells them.

/** Asserts that the severity of each row is in the middle of its row. */
export async function expectCenteredSeverities(table: Locator): Promise<void> {
  const distances = await table.locator('tbody tr').evaluateAll((rows) =>
    rows.flatMap((row) => {
      const label = row.querySelector('span:has(> svg)')
      if (!label) return []
      const [rowBox, labelBox] = [row.getBoundingClientRect(), label.getBoundingClientRect()]
      return [Math.abs(rowBox.top + rowBox.height / 2 - (labelBox.top + labelBox.height / 2))]
    }),
  )
  expect(distances.length).toBeGreaterThan(0)
  expect(Math.max(...distances)).toBeLessThanOrEqual(1.5)
}

/** Asserts that the texts of a table start where its heading does. */
export async function expectSharedStart(heading: Locator, table: Locator): Promise<void> {
  const readTextStart = (element: Element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    return range.getBoundingClientRect().left
  }
  const headingStart = await heading.evaluate(readTextStart)
  const cellStart = await table.locator('tbody tr').first().locator('th, td').first().evaluate(readTextStart)
  expect(Math.abs(headingStart - cellStart)).toBeLessThanOrEqual(1)
}

/** Asserts that hints of fields in one line, and their controls, are on the same lines. */
export async function expectAlignedFields(group: Locator): Promise<void> {
  const fields = await group.locator('div:has(> label)').evaluateAll((elements) =>
    elements.flatMap((element) => {
      if (element.getBoundingClientRect().height === 0) return []
      const getTop = (selector: string) => element.querySelector(selector)?.getBoundingClientRect().top
      return { bottom: element.getBoundingClientRect().bottom, hint: getTop('label + p'), control: getTop('input, select') }
    }),
  )
  const lines = Map.groupBy(fields, ({ bottom }) => Math.round(bottom))
  const sharedLines = [...lines.values()].filter((line) => line.length > 1)
  expect(sharedLines.length).toBeGreaterThan(0)
  for (const line of sharedLines)
    for (const tops of [line.map(({ hint }) => hint), line.map(({ control }) => control)])
      expect(new Set(tops.filter((top) => top !== undefined).map(Math.round)).size).toBeLessThanOrEqual(1)
}
