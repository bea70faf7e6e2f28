import { describe, expect, it } from 'vitest'
import { catalogFaults, translationFaults } from './check-catalogs.ts'

describe('a translation', () => {
  const plural = '{n, plural, one {# page of <0>{name}</0>} other {# pages of <0>{name}</0>}}'
  it.each([
    ['de', '{done} of {found}', '{done} von', ['lost {found}']],
    ['de', 'Run {0}', 'Lauf {1}', ['lost {0}', 'has {1}, which is not in the English']],
    ['de', 'Delete <0>{name}</0>', '{name} löschen', ['lost <0>', 'lost </0>']],
    ['de', 'Leave', ' ', ['is empty']],
    ['de', 'Leave', 'Leave', ['is the English text']],
    ['fr', plural, '{n, plural, one {# <0>{name}</0>} other {# <0>{name}</0>}}', ['{n} has no form “many”']],
    ['ja', plural, '{n, plural, other {<0>{name}</0> #}}', []],
    ['ja', plural, '<0>{name}</0> {n}', ['{n} is no plural any more']],
    ['de', 'Code', 'Code', []],
  ])('%s: %s → %s', (locale, message, translation, faults) =>
    expect(translationFaults(locale, message, translation)).toEqual(faults),
  )
})

it('finds no fault in the catalogues', async () => expect(await catalogFaults()).toEqual([]))
