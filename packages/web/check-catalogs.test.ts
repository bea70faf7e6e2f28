import { describe, expect, it } from 'vitest'
import { getConfig } from '@lingui/conf'
import { catalogOf, idsByPart } from './catalog-plugin.ts'
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

it('loads every message with one part', async () => {
  const config = getConfig({ cwd: import.meta.dirname })
  // Each dictionary has what is said, and nothing else: see above.
  const said = Object.keys((await (await catalogOf(config)).read('de')) ?? {})
  const parts = Object.values(await idsByPart(config))
  expect(parts.map(({ size }) => size > 50)).toEqual([true, true, true])
  expect(said.filter((id) => parts.filter((part) => part.has(id)).length !== 1)).toEqual([])
})
