import type { PdfFile } from '../object/document.ts'
import type { PdfDict, PdfValue } from '../object/value.ts'
import { areOverlapping, readRect, type PdfPage, type Rect } from '../model/page.ts'
import { type StructureElement } from '../model/structure.ts'
import { findObjectElement } from '../model/structure-query.ts'
import { decodeText } from '../model/text-string.ts'
import type { PdfFacts, Hit } from './hit.ts'

/** An annotation with the data for its tests. */
type Annotation = {
  subtype: string
  /** Outside the page or hidden, so irrelevant to users. */
  isIrrelevant: boolean
  rect: Rect | null
  contents: string | null
  element: StructureElement | null
  /** Accessible name of its field. */
  tooltip: string | null
}

const readText = (file: PdfFile, dict: PdfDict, key: string): string | null => {
  const rawText = file.string(dict.entries.get(key))
  return rawText === null ? null : decodeText(rawText)
}

/** Returns the tooltip of a widget's field: that of the nearest ancestor with a name. */
function findTooltip(file: PdfFile, widget: PdfDict): string | null {
  let fieldDict: PdfDict | null = widget
  for (let fieldDepth = 0; fieldDict && fieldDepth < 50; fieldDepth++) {
    if (fieldDict.entries.has('T')) return readText(file, fieldDict, 'TU')
    fieldDict = file.dict(fieldDict.entries.get('Parent'))
  }
  return readText(file, widget, 'TU')
}

function readAnnotation({ file, structure }: PdfFacts, page: PdfPage, dict: PdfDict): Annotation {
  const annotationRect = readRect(file, dict.entries.get('Rect'))
  const annotationFlags = file.number(dict.entries.get('F')) ?? 0
  return {
    subtype: file.name(dict.entries.get('Subtype')) ?? '',
    isIrrelevant: (annotationFlags & 2) !== 0 || (annotationRect !== null && !areOverlapping(annotationRect, page.box)),
    rect: annotationRect,
    contents: readText(file, dict, 'Contents'),
    element: structure ? findObjectElement(file, structure, dict) : null,
    tooltip: findTooltip(file, dict),
  }
}

type AnnotationTest = { test: string; subtype?: string; fails: (annotation: Annotation, facts: PdfFacts) => boolean }

const isPlainAnnotation = ({ subtype }: Annotation): boolean => !['Widget', 'PrinterMark', 'Link'].includes(subtype)
const isInType = (annotation: Annotation, type: string): boolean => annotation.element?.standardType === type

const annotationTests: readonly AnnotationTest[] = [
  {
    test: '7.2-24',
    fails: (annotation, facts) =>
      annotation.contents !== null && !facts.hasCatalogLanguage && (annotation.element?.lang ?? null) === null,
  },
  {
    test: '7.18.1-1',
    fails: (annotation) => isPlainAnnotation(annotation) && !annotation.isIrrelevant && !isInType(annotation, 'Annot'),
  },
  {
    test: '7.18.1-2',
    fails: (annotation) =>
      annotation.subtype !== 'Widget' && !annotation.isIrrelevant && !annotation.contents && !annotation.element?.alt,
  },
  {
    test: '7.18.1-3',
    subtype: 'Widget',
    fails: (annotation) => !annotation.isIrrelevant && !annotation.tooltip && !annotation.element?.alt,
  },
  { test: '7.18.2-1', subtype: 'TrapNet', fails: (annotation) => !annotation.isIrrelevant },
  { test: '7.18.4-1', subtype: 'Widget', fails: (annotation) => !annotation.isIrrelevant && !isInType(annotation, 'Form') },
  { test: '7.18.5-1', subtype: 'Link', fails: (annotation) => !annotation.isIrrelevant && !isInType(annotation, 'Link') },
  { test: '7.18.5-2', subtype: 'Link', fails: (annotation) => !annotation.isIrrelevant && !annotation.contents },
  { test: '7.18.8-1', subtype: 'PrinterMark', fails: (annotation) => !annotation.isIrrelevant && annotation.element !== null },
]

function* checkFieldLanguages(facts: PdfFacts): Generator<Hit> {
  const { file, structure, hasCatalogLanguage } = facts
  if (hasCatalogLanguage) return
  const visitedFields = new Set<PdfDict>()
  const pendingFields: PdfValue[] = [...file.array(file.dict(file.catalog.entries.get('AcroForm'))?.entries.get('Fields'))]
  while (pendingFields.length > 0 && visitedFields.size < 100_000) {
    const fieldDict = file.dict(pendingFields.pop())
    if (!fieldDict || visitedFields.has(fieldDict)) continue
    visitedFields.add(fieldDict)
    const fieldKids = file.array(fieldDict.entries.get('Kids'))
    pendingFields.push(...fieldKids)
    const tooltipText = readText(file, fieldDict, 'TU')
    if (tooltipText === null) continue
    const fieldElement = structure && findObjectElement(file, structure, fieldDict)
    if ((fieldElement?.lang ?? null) === null) yield { test: '7.2-25', element: fieldElement, text: tooltipText }
  }
}

/** Checks annotations and form fields. */
export function* checkAnnotations(facts: PdfFacts): Generator<Hit> {
  const { file, pages } = facts
  for (const page of pages.pages) {
    const pageAnnotations = file
      .array(page.dict.entries.get('Annots'))
      .slice(0, 20_000)
      .flatMap((value) => {
        const annotationDict = file.dict(value)
        return annotationDict ? [readAnnotation(facts, page, annotationDict)] : []
      })
    if (pageAnnotations.length > 0 && file.name(page.dict.entries.get('Tabs')) !== 'S')
      yield { test: '7.18.3-1', page: page.index }
    for (const pageAnnotation of pageAnnotations)
      for (const { test, subtype: testedSubtype, fails } of annotationTests)
        if ((testedSubtype === undefined || testedSubtype === pageAnnotation.subtype) && fails(pageAnnotation, facts))
          yield {
            test,
            page: page.index,
            rect: pageAnnotation.rect,
            element: pageAnnotation.element,
            isLink: pageAnnotation.subtype === 'Link',
            text: pageAnnotation.contents ?? pageAnnotation.tooltip ?? pageAnnotation.subtype,
          }
  }
  yield* checkFieldLanguages(facts)
}
