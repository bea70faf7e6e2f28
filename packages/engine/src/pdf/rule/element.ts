import { isGroup, kidsWithin, languageOf, parentAround, type Element } from '../model/structure.ts'
import { isLanguageTag } from './document.ts'
import type { Facts, Hit } from './hit.ts'

type Test = {
  test: string
  /** Standard types that it looks at; all when it names none. */ on?: readonly string[]
  fails: (element: Element, facts: Facts) => boolean
}

/** Types of the kids. Of a group only those right in it: the element around it sees the others. */
const kinds = (element: Element): string[] =>
  (isGroup(element) ? element.named : kidsWithin(element)).map((kid) => kid.standardType ?? kid.type)
const only =
  (...allowed: string[]) =>
  (element: Element) =>
    kinds(element).some((kind) => !allowed.includes(kind))
const within =
  (...parents: string[]) =>
  (element: Element) =>
    !parents.includes(parentAround(element)?.standardType ?? '')
const count = (element: Element, kind: string): number => kinds(element).filter((k) => k === kind).length
const isBlank = (text: string | null): boolean => text === null || text === ''
const noAlternative = (element: Element) => isBlank(element.alt) && element.actualText === null
const captionNotFirst = (element: Element) => kinds(element).slice(1).includes('Caption')

/** Text of an attribute that no language is known for: its own, one from above, or the document's. */
const withoutLanguage = (key: 'alt' | 'actualText' | 'expansion') => (element: Element, facts: Facts) =>
  element[key] !== null && !facts.hasCatalogLanguage && languageOf(element) === null

/** Tests that look at one element and its relatives. */
const elementTests: readonly Test[] = [
  { test: '7.1-5', fails: (e) => e.standardType === null },
  { test: '7.1-6', fails: (e) => e.isCircular },
  { test: '7.1-7', fails: (e) => e.isRemapped },
  { test: '7.1-12', fails: (e) => !e.hasParentEntry },
  { test: '7.2-3', on: ['Table'], fails: only('TR', 'THead', 'TBody', 'TFoot', 'Caption') },
  { test: '7.2-4', on: ['TR'], fails: within('Table', 'THead', 'TBody', 'TFoot') },
  { test: '7.2-5', on: ['THead'], fails: within('Table') },
  { test: '7.2-6', on: ['TBody'], fails: within('Table') },
  { test: '7.2-7', on: ['TFoot'], fails: within('Table') },
  { test: '7.2-8', on: ['TH'], fails: within('TR') },
  { test: '7.2-9', on: ['TD'], fails: within('TR') },
  { test: '7.2-10', on: ['TR'], fails: only('TH', 'TD') },
  { test: '7.2-11', on: ['Table'], fails: (e) => count(e, 'THead') > 1 },
  { test: '7.2-12', on: ['Table'], fails: (e) => count(e, 'TFoot') > 1 },
  { test: '7.2-13', on: ['Table'], fails: (e) => count(e, 'TFoot') > 0 && count(e, 'TBody') === 0 },
  { test: '7.2-14', on: ['Table'], fails: (e) => count(e, 'THead') > 0 && count(e, 'TBody') === 0 },
  { test: '7.2-16', on: ['Table'], fails: (e) => kinds(e).slice(1, -1).includes('Caption') },
  { test: '7.2-17', on: ['LI'], fails: within('L') },
  { test: '7.2-18', on: ['LBody'], fails: within('LI') },
  { test: '7.2-19', on: ['L'], fails: only('L', 'LI', 'Caption') },
  { test: '7.2-20', on: ['LI'], fails: only('Lbl', 'LBody') },
  { test: '7.2-21', fails: withoutLanguage('actualText') },
  { test: '7.2-22', fails: withoutLanguage('alt') },
  { test: '7.2-23', fails: withoutLanguage('expansion') },
  { test: '7.2-26', on: ['TOCI'], fails: within('TOC') },
  { test: '7.2-27', on: ['TOC'], fails: only('TOC', 'TOCI', 'Caption') },
  { test: '7.2-28', on: ['TOC'], fails: captionNotFirst },
  { test: '7.2-29', fails: (e) => e.lang !== null && !isLanguageTag(e.lang) },
  { test: '7.2-36', on: ['THead'], fails: only('TR') },
  { test: '7.2-37', on: ['TBody'], fails: only('TR') },
  { test: '7.2-38', on: ['TFoot'], fails: only('TR') },
  { test: '7.2-39', on: ['Table'], fails: (e) => count(e, 'Caption') > 1 },
  { test: '7.2-40', on: ['L'], fails: captionNotFirst },
  { test: '7.3-1', on: ['Figure'], fails: noAlternative },
  { test: '7.4.4-1', fails: (e) => count(e, 'H') > 1 },
  { test: '7.7-1', on: ['Formula'], fails: noAlternative },
  { test: '7.9-1', on: ['Note'], fails: (e) => isBlank(e.id) },
  {
    test: '7.18.4-2',
    on: ['Form'],
    fails: (e) =>
      !e.attributes.has('Role') &&
      !(e.objects.length === 1 && e.kids.length === 0 && e.contents.length === 0),
  },
]

const levelOf = (element: Element): number | null => {
  const match = /^H([1-6])$/.exec(element.standardType ?? '')
  return match ? Number(match[1]) : null
}

function* headings(elements: readonly Element[]): Generator<Hit> {
  let level = 0
  const usesH = elements.some((e) => e.standardType === 'H')
  const usesHn = elements.some((e) => levelOf(e) !== null)
  for (const element of elements) {
    const own = levelOf(element)
    if (element.standardType === 'H' && usesHn) yield { test: '7.4.4-2', element }
    if (own === null) continue
    if (usesH) yield { test: '7.4.4-3', element }
    if (own > level + 1) yield { test: '7.4.2-1', element }
    level = own
  }
}

function* notes(elements: readonly Element[]): Generator<Hit> {
  const seen = new Set<string>()
  for (const element of elements) {
    if (element.standardType !== 'Note' || !element.id) continue
    if (seen.has(element.id)) yield { test: '7.9-2', element, text: element.id }
    seen.add(element.id)
  }
}

/** What is wrong with the elements of the structure tree. */
export function* checkElements(facts: Facts): Generator<Hit> {
  const { structure } = facts
  if (!structure) return
  const everywhere = elementTests.filter(({ on }) => !on)
  const byType = new Map<string, Test[]>()
  for (const test of elementTests)
    for (const type of test.on ?? []) byType.set(type, [...(byType.get(type) ?? []), test])
  for (const element of structure.elements)
    for (const { test, fails } of [...everywhere, ...(byType.get(element.standardType ?? '') ?? [])])
      if (fails(element, facts)) yield { test, element }
  yield* headings(structure.elements)
  yield* notes(structure.elements)
}
