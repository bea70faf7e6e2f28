/** @module-tag slow */
import { describe, expect, it } from 'vitest'
import { getConfig } from '@lingui/conf'
import { getCatalog, findIdsByPart } from './catalog-plugin.ts'
import { listCatalogFaults, findTranslationFaults } from './check-catalogs.ts'

describe('a translation', () => {
  const pluralMessage = '{n, plural, one {# page of <0>{name}</0>} other {# pages of <0>{name}</0>}}'
  it.each([
    ['de', '{done} of {found}', '{done} von', ['lost {found}']],
    ['de', 'Run {0}', 'Lauf {1}', ['lost {0}', 'has {1}, which is not in the English']],
    ['de', 'Delete <0>{name}</0>', '{name} löschen', ['lost <0>', 'lost </0>']],
    ['de', 'Leave', ' ', ['is empty']],
    ['de', 'Leave', 'Leave', ['is the English text']],
    ['fr', pluralMessage, '{n, plural, one {# <0>{name}</0>} other {# <0>{name}</0>}}', ['{n} has no form “many”']],
    ['ja', pluralMessage, '{n, plural, other {<0>{name}</0> #}}', []],
    ['ja', pluralMessage, '<0>{name}</0> {n}', ['{n} is no longer a plural']],
    ['de', 'Code', 'Code', []],
  ])('%s: %s → %s', (locale, message, translation, faults) =>
    expect(findTranslationFaults(locale, message, translation)).toEqual(faults),
  )
})

it('finds no faults in the catalogs', async () => expect(await listCatalogFaults()).toEqual([]))

it('loads every message with exactly one part', async () => {
  const linguiConfig = getConfig({ cwd: import.meta.dirname })
  // Each dictionary contains exactly the used messages; see above.
  const usedMessages = Object.keys((await (await getCatalog(linguiConfig)).read('de')) ?? {})
  const partIds = Object.values(await findIdsByPart(linguiConfig))
  expect(partIds.map(({ size }) => size > 50)).toEqual([true, true, true])
  expect(usedMessages.filter((id) => partIds.filter((part) => part.has(id)).length !== 1)).toEqual([])
})
