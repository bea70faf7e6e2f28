import type { PdfFile } from '../object/document.ts'
import { isRef, pdfLimits, type PdfDict, type PdfRef, type PdfValue } from '../object/value.ts'

/** `x0, y0, x1, y1` in default user space: points, from the lower left corner. */
export type Rect = readonly [number, number, number, number]

export type PdfPage = {
  /** From 0. */ index: number
  dict: PdfDict
  ref: PdfRef | null
  resources: PdfDict | null
  /** What is shown of it. */ box: Rect
  rotate: number
  structParents: number | null
}

export type Pages = { pages: PdfPage[]; /** There are more than we read. */ isCut: boolean }

const inherited = ['Resources', 'MediaBox', 'CropBox', 'Rotate'] as const
type Inherited = Partial<Record<(typeof inherited)[number], PdfValue>>

/** A rectangle with its corners in order; null when it is none. */
export function readRect(file: PdfFile, value: PdfValue | undefined): Rect | null {
  const numbers = file.array(value).map((item) => file.number(item))
  const [a, b, c, d] = numbers
  if (a == null || b == null || c == null || d == null) return null
  return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)]
}

export const overlaps = (a: Rect, b: Rect): boolean =>
  a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]

const letter: Rect = [0, 0, 612, 792]

function makePage(file: PdfFile, dict: PdfDict, ref: PdfRef | null, from: Inherited, index: number): PdfPage {
  const media = readRect(file, from.MediaBox) ?? letter
  const crop = readRect(file, from.CropBox) ?? media
  return {
    index,
    dict,
    ref,
    resources: file.dict(from.Resources),
    box: overlaps(media, crop)
      ? [
          Math.max(media[0], crop[0]),
          Math.max(media[1], crop[1]),
          Math.min(media[2], crop[2]),
          Math.min(media[3], crop[3]),
        ]
      : media,
    rotate: file.number(from.Rotate) ?? 0,
    structParents: file.number(dict.entries.get('StructParents')),
  }
}

/** The pages in order; loops and broken branches are left out. */
export function readPages(file: PdfFile): Pages {
  const pages: PdfPage[] = []
  const seen = new Set<PdfDict>()
  const stack: { value: PdfValue; from: Inherited }[] = []
  const root = file.catalog.entries.get('Pages')
  if (root !== undefined) stack.push({ value: root, from: {} })
  while (stack.length > 0) {
    if (pages.length >= pdfLimits.pages) return { pages, isCut: true }
    const { value, from } = stack.pop()!
    const dict = file.dict(value)
    if (!dict || seen.has(dict)) continue
    seen.add(dict)
    const own: Inherited = { ...from }
    for (const key of inherited) {
      const found = dict.entries.get(key)
      if (found !== undefined) own[key] = found
    }
    const kids = file.array(dict.entries.get('Kids'))
    if (kids.length > 0 || file.name(dict.entries.get('Type')) === 'Pages')
      for (let i = Math.min(kids.length, 100_000) - 1; i >= 0; i--) stack.push({ value: kids[i]!, from: own })
    else pages.push(makePage(file, dict, isRef(value) ? value : null, own, pages.length))
  }
  return { pages, isCut: false }
}
