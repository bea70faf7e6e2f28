import english from 'axe-core-4.14/locales/_template.json'
import german from 'axe-core-4.14/locales/de.json'
import { expect, it } from 'vitest'
import type { AxeLocale } from './model-axe.ts'
import { messageTranslator } from './model-axe.ts'

it('says what axe-core says in another language, with what was filled in', () => {
  const say = messageTranslator(english as AxeLocale, german as AxeLocale)
  expect(say('Element does not have an alt attribute')).toBe('Das Element besitzt kein alt-Attribut.')
  expect(
    say(
      'Element has insufficient color contrast of 1.2 (foreground color: #ccc, background color: #fff, font size: 9.0pt (12px), font weight: normal). Expected contrast ratio of 4.5:1',
    ),
  ).toMatch(/1\.2.*#ccc.*#fff.*9\.0pt \(12px\).*4[.,]5:1/)
  expect(say('What no check of axe says')).toBeNull()
})
