import { expect, it } from 'vitest'
import { getTagName } from './value-labels.ts'

it.each([
  ['wcag143', 'WCAG 1.4.3'],
  ['wcag1412', 'WCAG 1.4.12'],
  ['wcag21aa', 'WCAG 2.1 AA'],
  ['cat.text-alternatives', 'text alternatives'],
  ['best-practice', 'best practice'],
  ['EN-9.1.4.3', 'EN 301 549, 9.1.4.3'],
  ['our-own', 'our-own'],
])('shows the tag %s as %s', (tag, name) => expect(getTagName(tag)).toBe(name))
