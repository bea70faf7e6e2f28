import type { PdfFile } from '../object/document.ts'
import { isRef, pdfLimits, type PdfDict, type PdfRef, type PdfValue } from '../object/value.ts'

/** `x0, y0, x1, y1` in default user space: points, from the lower left corner. */
export type Rect = readonly [number, number, number, number]

export type PdfPage = {
  /** From 0. */
  index: number
  dict: PdfDict
  ref: PdfRef | null
  resources: PdfDict | null
  /** Visible area. */
  box: Rect
  rotate: number
  structParents: number | null
}

export type PageList = { pages: PdfPage[]; /** More pages exist than were read. */ isCut: boolean }

const inheritedKeys = ['Resources', 'MediaBox', 'CropBox', 'Rotate'] as const
type InheritedValues = Partial<Record<(typeof inheritedKeys)[number], PdfValue>>

/** Returns a rectangle with ordered corners; null if the value is not a rectangle. */
export function readRect(file: PdfFile, value: PdfValue | undefined): Rect | null {
  const rectNumbers = file.array(value).map((item) => file.number(item))
  const [firstX, firstY, secondX, secondY] = rectNumbers
  if (firstX == null || firstY == null || secondX == null || secondY == null) return null
  return [Math.min(firstX, secondX), Math.min(firstY, secondY), Math.max(firstX, secondX), Math.max(firstY, secondY)]
}

export const areOverlapping = (first: Rect, second: Rect): boolean =>
  first[0] < second[2] && second[0] < first[2] && first[1] < second[3] && second[1] < first[3]

const letterRect: Rect = [0, 0, 612, 792]

function createPage(file: PdfFile, dict: PdfDict, ref: PdfRef | null, inheritedValues: InheritedValues, index: number): PdfPage {
  const mediaBox = readRect(file, inheritedValues.MediaBox) ?? letterRect
  const cropBox = readRect(file, inheritedValues.CropBox) ?? mediaBox
  return {
    index,
    dict,
    ref,
    resources: file.dict(inheritedValues.Resources),
    box: areOverlapping(mediaBox, cropBox)
      ? [
          Math.max(mediaBox[0], cropBox[0]),
          Math.max(mediaBox[1], cropBox[1]),
          Math.min(mediaBox[2], cropBox[2]),
          Math.min(mediaBox[3], cropBox[3]),
        ]
      : mediaBox,
    rotate: file.number(inheritedValues.Rotate) ?? 0,
    structParents: file.number(dict.entries.get('StructParents')),
  }
}

/** Reads the pages in order; skips loops and broken branches. */
export function readPages(file: PdfFile): PageList {
  const pageList: PdfPage[] = []
  const visitedDicts = new Set<PdfDict>()
  const pendingNodes: { value: PdfValue; from: InheritedValues }[] = []
  const rootNode = file.catalog.entries.get('Pages')
  if (rootNode !== undefined) pendingNodes.push({ value: rootNode, from: {} })
  while (pendingNodes.length > 0) {
    if (pageList.length >= pdfLimits.pages) return { pages: pageList, isCut: true }
    const { value, from: inheritedValues } = pendingNodes.pop()!
    const nodeDict = file.dict(value)
    if (!nodeDict || visitedDicts.has(nodeDict)) continue
    visitedDicts.add(nodeDict)
    const ownValues: InheritedValues = { ...inheritedValues }
    for (const inheritedKey of inheritedKeys) {
      const ownValue = nodeDict.entries.get(inheritedKey)
      if (ownValue !== undefined) ownValues[inheritedKey] = ownValue
    }
    const kidNodes = file.array(nodeDict.entries.get('Kids'))
    if (kidNodes.length > 0 || file.name(nodeDict.entries.get('Type')) === 'Pages')
      for (let i = Math.min(kidNodes.length, 100_000) - 1; i >= 0; i--)
        pendingNodes.push({ value: kidNodes[i]!, from: ownValues })
    else pageList.push(createPage(file, nodeDict, isRef(value) ? value : null, ownValues, pageList.length))
  }
  return { pages: pageList, isCut: false }
}
