import { expect, it } from 'vitest'
import { groupTags } from './tag-groups.ts'

const t = (message: { message?: string; id: string }) => message.message ?? message.id

it('groups tags by kind, names criteria, and sorts them by number', () => {
  const tags = [
    { tag: 'wcag1412', kind: 'wcag' },
    { tag: 'cat.color', kind: 'category' },
    { tag: 'wcag143', kind: 'wcag' },
    { tag: 'wcag2aa', kind: 'conformance' },
    { tag: 'TT6.a', kind: 'other' },
    { tag: 'wcag141', kind: 'wcag' },
    { tag: 'wcag248', kind: 'wcag' },
  ] as const
  const groups = groupTags(tags, ['wcag143', 'gone'], { t: t as never, locale: 'en' })
  expect(groups.map(({ key, items }) => [key, items.map(({ name }) => name)])).toEqual([
    ['wcag', ['WCAG 1.4.1 Use of Color', 'WCAG 1.4.3 Contrast (Minimum)', 'WCAG 1.4.12 Text Spacing', 'WCAG 2.4.8']],
    ['conformance', ['WCAG 2.0 AA']],
    ['category', ['color']],
    ['other', ['gone', 'TT6.a']],
  ])
})
