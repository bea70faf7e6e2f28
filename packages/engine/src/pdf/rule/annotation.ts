import type { PdfFile } from '../object/document.ts'
import type { PdfDict, PdfValue } from '../object/value.ts'
import { overlaps, readRect, type PdfPage, type Rect } from '../model/page.ts'
import { elementOfObject, type Element } from '../model/structure.ts'
import { decodeText } from '../model/text-string.ts'
import type { Facts, Hit } from './hit.ts'

/** An annotation with everything that its tests ask for. */
type Annotation = {
  subtype: string
  /** Outside the page or hidden: of no concern to a reader. */ isOut: boolean
  rect: Rect | null
  contents: string | null
  element: Element | null
  /** Its field's name for people. */ tooltip: string | null
}

const text = (file: PdfFile, dict: PdfDict, key: string): string | null => {
  const raw = file.string(dict.entries.get(key))
  return raw === null ? null : decodeText(raw)
}

/** The tooltip of the field that a widget belongs to: the nearest node upwards that has a name. */
function tooltipOf(file: PdfFile, widget: PdfDict): string | null {
  let at: PdfDict | null = widget
  for (let depth = 0; at && depth < 50; depth++) {
    if (at.entries.has('T')) return text(file, at, 'TU')
    at = file.dict(at.entries.get('Parent'))
  }
  return text(file, widget, 'TU')
}

function readAnnotation({ file, structure }: Facts, page: PdfPage, dict: PdfDict): Annotation {
  const rect = readRect(file, dict.entries.get('Rect'))
  const flags = file.number(dict.entries.get('F')) ?? 0
  return {
    subtype: file.name(dict.entries.get('Subtype')) ?? '',
    isOut: (flags & 2) !== 0 || (rect !== null && !overlaps(rect, page.box)),
    rect,
    contents: text(file, dict, 'Contents'),
    element: structure ? elementOfObject(file, structure, dict) : null,
    tooltip: tooltipOf(file, dict),
  }
}

type Test = { test: string; on?: string; fails: (annotation: Annotation, facts: Facts) => boolean }

const plain = ({ subtype }: Annotation): boolean => !['Widget', 'PrinterMark', 'Link'].includes(subtype)
const isIn = (a: Annotation, type: string): boolean => a.element?.standardType === type

const tests: readonly Test[] = [
  {
    test: '7.2-24',
    fails: (a, facts) =>
      a.contents !== null && !facts.hasCatalogLanguage && (a.element?.lang ?? null) === null,
  },
  { test: '7.18.1-1', fails: (a) => plain(a) && !a.isOut && !isIn(a, 'Annot') },
  { test: '7.18.1-2', fails: (a) => a.subtype !== 'Widget' && !a.isOut && !a.contents && !a.element?.alt },
  { test: '7.18.1-3', on: 'Widget', fails: (a) => !a.isOut && !a.tooltip && !a.element?.alt },
  { test: '7.18.2-1', on: 'TrapNet', fails: (a) => !a.isOut },
  { test: '7.18.4-1', on: 'Widget', fails: (a) => !a.isOut && !isIn(a, 'Form') },
  { test: '7.18.5-1', on: 'Link', fails: (a) => !a.isOut && !isIn(a, 'Link') },
  { test: '7.18.5-2', on: 'Link', fails: (a) => !a.isOut && !a.contents },
  { test: '7.18.8-1', on: 'PrinterMark', fails: (a) => !a.isOut && a.element !== null },
]

function* fieldLanguages(facts: Facts): Generator<Hit> {
  const { file, structure, hasCatalogLanguage } = facts
  if (hasCatalogLanguage) return
  const seen = new Set<PdfDict>()
  const stack: PdfValue[] = [
    ...file.array(file.dict(file.catalog.entries.get('AcroForm'))?.entries.get('Fields')),
  ]
  while (stack.length > 0 && seen.size < 100_000) {
    const field = file.dict(stack.pop())
    if (!field || seen.has(field)) continue
    seen.add(field)
    const kids = file.array(field.entries.get('Kids'))
    stack.push(...kids)
    const tooltip = text(file, field, 'TU')
    if (tooltip === null) continue
    const own = structure && elementOfObject(file, structure, field)
    if ((own?.lang ?? null) === null) yield { test: '7.2-25', element: own, text: tooltip }
  }
}

/** What is wrong with annotations and form fields. */
export function* checkAnnotations(facts: Facts): Generator<Hit> {
  const { file, pages } = facts
  for (const page of pages.pages) {
    const annotations = file
      .array(page.dict.entries.get('Annots'))
      .slice(0, 20_000)
      .flatMap((value) => {
        const dict = file.dict(value)
        return dict ? [readAnnotation(facts, page, dict)] : []
      })
    if (annotations.length > 0 && file.name(page.dict.entries.get('Tabs')) !== 'S')
      yield { test: '7.18.3-1', page: page.index }
    for (const annotation of annotations)
      for (const { test, on, fails } of tests)
        if ((on === undefined || on === annotation.subtype) && fails(annotation, facts))
          yield {
            test,
            page: page.index,
            rect: annotation.rect,
            element: annotation.element,
            isLink: annotation.subtype === 'Link',
            text: annotation.contents ?? annotation.tooltip ?? annotation.subtype,
          }
  }
  yield* fieldLanguages(facts)
}
