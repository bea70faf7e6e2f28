import { type StructureElement } from '../model/structure.ts'
import { isGrouping, flattenKids, findLanguage, findParentOutsideGroups } from '../model/structure-query.ts'
import { isLanguageTag } from './document.ts'
import type { PdfFacts, Hit } from './hit.ts'

type ElementTest = {
  test: string
  /** Tested standard types; all if omitted. */
  types?: readonly string[]
  fails: (element: StructureElement, facts: PdfFacts) => boolean
}

/** Returns the types of the kids. For a group, only direct kids: its parent checks the others. */
const listKidTypes = (element: StructureElement): string[] =>
  (isGrouping(element) ? element.listedKids : flattenKids(element)).map(
    (kidElement) => kidElement.standardType ?? kidElement.type,
  )
const createOnlyTest =
  (...allowedTypes: string[]) =>
  (element: StructureElement) =>
    listKidTypes(element).some((kidType) => !allowedTypes.includes(kidType))
const createParentTest =
  (...parentTypes: string[]) =>
  (element: StructureElement) =>
    !parentTypes.includes(findParentOutsideGroups(element)?.standardType ?? '')
const countKids = (element: StructureElement, countedType: string): number =>
  listKidTypes(element).filter((kidType) => kidType === countedType).length
const isBlank = (text: string | null): boolean => text === null || text === ''
const hasNoAlternative = (element: StructureElement) => isBlank(element.alt) && element.actualText === null
const hasLateCaption = (element: StructureElement) => listKidTypes(element).slice(1).includes('Caption')

/** Text of an attribute without a known language: its own, an inherited one, or the document's. */
const createLanguageTest = (key: 'alt' | 'actualText' | 'expansion') => (element: StructureElement, facts: PdfFacts) =>
  element[key] !== null && !facts.hasCatalogLanguage && findLanguage(element) === null

/** Tests of one element and its relatives. */
const elementTests: readonly ElementTest[] = [
  { test: '7.1-5', fails: (element) => element.standardType === null },
  { test: '7.1-6', fails: (element) => element.isCircular },
  { test: '7.1-7', fails: (element) => element.isRemapped },
  { test: '7.1-12', fails: (element) => !element.hasParentEntry },
  { test: '7.2-3', types: ['Table'], fails: createOnlyTest('TR', 'THead', 'TBody', 'TFoot', 'Caption') },
  { test: '7.2-4', types: ['TR'], fails: createParentTest('Table', 'THead', 'TBody', 'TFoot') },
  { test: '7.2-5', types: ['THead'], fails: createParentTest('Table') },
  { test: '7.2-6', types: ['TBody'], fails: createParentTest('Table') },
  { test: '7.2-7', types: ['TFoot'], fails: createParentTest('Table') },
  { test: '7.2-8', types: ['TH'], fails: createParentTest('TR') },
  { test: '7.2-9', types: ['TD'], fails: createParentTest('TR') },
  { test: '7.2-10', types: ['TR'], fails: createOnlyTest('TH', 'TD') },
  { test: '7.2-11', types: ['Table'], fails: (element) => countKids(element, 'THead') > 1 },
  { test: '7.2-12', types: ['Table'], fails: (element) => countKids(element, 'TFoot') > 1 },
  { test: '7.2-13', types: ['Table'], fails: (element) => countKids(element, 'TFoot') > 0 && countKids(element, 'TBody') === 0 },
  { test: '7.2-14', types: ['Table'], fails: (element) => countKids(element, 'THead') > 0 && countKids(element, 'TBody') === 0 },
  { test: '7.2-16', types: ['Table'], fails: (element) => listKidTypes(element).slice(1, -1).includes('Caption') },
  { test: '7.2-17', types: ['LI'], fails: createParentTest('L') },
  { test: '7.2-18', types: ['LBody'], fails: createParentTest('LI') },
  { test: '7.2-19', types: ['L'], fails: createOnlyTest('L', 'LI', 'Caption') },
  { test: '7.2-20', types: ['LI'], fails: createOnlyTest('Lbl', 'LBody') },
  { test: '7.2-21', fails: createLanguageTest('actualText') },
  { test: '7.2-22', fails: createLanguageTest('alt') },
  { test: '7.2-23', fails: createLanguageTest('expansion') },
  { test: '7.2-26', types: ['TOCI'], fails: createParentTest('TOC') },
  { test: '7.2-27', types: ['TOC'], fails: createOnlyTest('TOC', 'TOCI', 'Caption') },
  { test: '7.2-28', types: ['TOC'], fails: hasLateCaption },
  { test: '7.2-29', fails: (element) => element.lang !== null && !isLanguageTag(element.lang) },
  { test: '7.2-36', types: ['THead'], fails: createOnlyTest('TR') },
  { test: '7.2-37', types: ['TBody'], fails: createOnlyTest('TR') },
  { test: '7.2-38', types: ['TFoot'], fails: createOnlyTest('TR') },
  { test: '7.2-39', types: ['Table'], fails: (element) => countKids(element, 'Caption') > 1 },
  { test: '7.2-40', types: ['L'], fails: hasLateCaption },
  { test: '7.3-1', types: ['Figure'], fails: hasNoAlternative },
  { test: '7.4.4-1', fails: (element) => countKids(element, 'H') > 1 },
  { test: '7.7-1', types: ['Formula'], fails: hasNoAlternative },
  { test: '7.9-1', types: ['Note'], fails: (element) => isBlank(element.id) },
  {
    test: '7.18.4-2',
    types: ['Form'],
    fails: (element) =>
      !element.attributes.has('Role') &&
      !(element.objects.length === 1 && element.kids.length === 0 && element.contents.length === 0),
  },
]

const getHeadingLevel = (element: StructureElement): number | null => {
  const headingMatch = /^H([1-6])$/.exec(element.standardType ?? '')
  return headingMatch ? Number(headingMatch[1]) : null
}

function* checkHeadings(elements: readonly StructureElement[]): Generator<Hit> {
  let previousLevel = 0
  const hasGenericHeading = elements.some((element) => element.standardType === 'H')
  const hasNumberedHeading = elements.some((element) => getHeadingLevel(element) !== null)
  for (const element of elements) {
    const ownLevel = getHeadingLevel(element)
    if (element.standardType === 'H' && hasNumberedHeading) yield { test: '7.4.4-2', element }
    if (ownLevel === null) continue
    if (hasGenericHeading) yield { test: '7.4.4-3', element }
    if (ownLevel > previousLevel + 1) yield { test: '7.4.2-1', element }
    previousLevel = ownLevel
  }
}

function* checkNotes(elements: readonly StructureElement[]): Generator<Hit> {
  const noteIds = new Set<string>()
  for (const element of elements) {
    if (element.standardType !== 'Note' || !element.id) continue
    if (noteIds.has(element.id)) yield { test: '7.9-2', element, text: element.id }
    noteIds.add(element.id)
  }
}

/** Checks the elements of the structure tree. */
export function* checkElements(facts: PdfFacts): Generator<Hit> {
  const { structure } = facts
  if (!structure) return
  const generalTests = elementTests.filter(({ types }) => !types)
  const testsByType = new Map<string, ElementTest[]>()
  for (const test of elementTests)
    for (const standardType of test.types ?? []) testsByType.set(standardType, [...(testsByType.get(standardType) ?? []), test])
  for (const element of structure.elements)
    for (const { test, fails } of [...generalTests, ...(testsByType.get(element.standardType ?? '') ?? [])])
      if (fails(element, facts)) yield { test, element }
  yield* checkHeadings(structure.elements)
  yield* checkNotes(structure.elements)
}
