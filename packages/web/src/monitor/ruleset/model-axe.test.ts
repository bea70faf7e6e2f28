import english from 'axe-core/locales/_template.json'
import german from 'axe-core/locales/de.json'
import { expect, it } from 'vitest'
import { type AxeLocale, createMessageReader } from './model-axe.ts'

const locales = [english as AxeLocale, german as AxeLocale] as const

it('translates messages of axe-core with their inserted values', () => {
  const read = createMessageReader(...locales)
  expect(read('Element does not have an alt attribute')).toEqual({
    text: 'Das Element besitzt kein alt-Attribut.',
    goal: 'Das Element besitzt ein alt-Attribut.',
  })
  const contrast = read(
    'Element has insufficient color contrast of 1.2 (foreground color: #ccc, background color: #fff, font size: 9.0pt (12px), font weight: normal). Expected contrast ratio of 4.5:1',
  )
  expect(contrast?.text).toMatch(/1\.2.*#ccc.*#fff.*9\.0pt \(12px\).*4[.,]5:1/)
  // The goal depends on the colors.
  expect(contrast?.goal).toBeNull()
  expect(read('What no check of axe says')).toBeNull()
})

it('knows the goal of nearly every failure', () => {
  const read = createMessageReader(english as AxeLocale, english as AxeLocale)
  const faults = Object.values(locales[0].checks).flatMap(({ fail }) =>
    Object.values(typeof fail === 'string' ? { fail } : (fail ?? {})),
  )
  const texts = faults.filter((fault) => typeof fault === 'string' && !fault.includes('${'))
  const without = texts.filter((fault) => read(fault as string)?.goal === null)
  expect(texts.length).toBeGreaterThan(80)
  expect(without.length).toBeLessThan(texts.length / 10)
  expect(read('Element has no title attribute')?.goal).toBe('Element has a title attribute')
})
