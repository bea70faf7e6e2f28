import { PDFiumLibrary } from '@hyzyla/pdfium'
import { encode } from 'fast-png'
import type { PdfPage, Rect } from './model/page.ts'
import type { PdfReport } from './report.ts'

/** Width of a rendered page in pixels: text stays legible, and forty pages stay below a few megabytes. */
const pageImageWidth = 720
const maxPages = 40
/** Limits for pdfium: huge pages are not rendered. */
const maxPixels = 4_000_000
const maxFileBytes = 50 * 2 ** 20

/** Returns the box of a page rectangle in the page's picture, considering rotation. */
function toPictureBox(page: PdfPage, [x0, y0, x1, y1]: Rect, pictureSize: { width: number; height: number }) {
  const [boxLeft, boxBottom, boxRight, boxTop] = page.box
  const [boxWidth, boxHeight] = [boxRight - boxLeft, boxTop - boxBottom]
  // Rectangle edges as fractions of the upright page, from its upper left.
  const [leftShare, rightShare, topShare, bottomShare] = [
    (x0 - boxLeft) / boxWidth,
    (x1 - boxLeft) / boxWidth,
    (boxTop - y1) / boxHeight,
    (boxTop - y0) / boxHeight,
  ]
  const sharesByRotation: Record<number, readonly [number, number, number, number]> = {
    0: [leftShare, topShare, rightShare, bottomShare],
    90: [1 - bottomShare, leftShare, 1 - topShare, rightShare],
    180: [1 - rightShare, 1 - bottomShare, 1 - leftShare, 1 - topShare],
    270: [topShare, 1 - rightShare, bottomShare, 1 - leftShare],
  }
  const rotatedShares = sharesByRotation[((page.rotate % 360) + 360) % 360] ?? sharesByRotation[0]!
  const clampShare = (share: number): number => Math.min(1, Math.max(0, share))
  const [x0Share, y0Share, x1Share, y1Share] = rotatedShares.map(clampShare) as [number, number, number, number]
  return {
    x: Math.round(x0Share * pictureSize.width),
    y: Math.round(y0Share * pictureSize.height),
    width: Math.max(1, Math.round((x1Share - x0Share) * pictureSize.width)),
    height: Math.max(1, Math.round((y1Share - y0Share) * pictureSize.height)),
  }
}

/** Compiled once per process. After a trap, its memory cannot be trusted. */
let libraryPromise: Promise<PDFiumLibrary> | null = null

const loadLibrary = (): Promise<PDFiumLibrary> => (libraryPromise ??= PDFiumLibrary.init())

function discardAfterTrap(error: unknown): void {
  if (error instanceof WebAssembly.RuntimeError) libraryPromise = null
}

type RenderedPage = { image: Uint8Array; width: number; height: number }

/** Gray is sufficient to locate elements, and a third of the size. */
function toPng({ data, width: imageWidth, height }: { data: Uint8Array; width: number; height: number }): RenderedPage {
  const grayPixels = data.length === imageWidth * height ? data : new Uint8Array(imageWidth * height)
  if (grayPixels !== data)
    for (let i = 0; i < grayPixels.length; i++)
      grayPixels[i] = Math.round(0.114 * data[4 * i]! + 0.587 * data[4 * i + 1]! + 0.299 * data[4 * i + 2]!)
  return { image: encode({ width: imageWidth, height, data: grayPixels, channels: 1, depth: 8 }), width: imageWidth, height }
}

/**
 * Renders each page with findings once, and assigns the pictures to the findings with the element's box. Pages that
 * pdfium cannot open or render have no picture.
 */
export async function renderSpots(bytes: Uint8Array, report: PdfReport, pages: readonly PdfPage[]): Promise<void> {
  const pageIndexes = [...new Set(report.findings.flatMap(({ spot }) => (spot ? [spot.page] : [])))].slice(0, maxPages)
  if (pageIndexes.length === 0 || bytes.length > maxFileBytes) return
  const pdfiumLibrary = await loadLibrary()
  const pdfDocument = await pdfiumLibrary.loadDocument(bytes).catch((error: unknown) => {
    discardAfterTrap(error)
    return null
  })
  if (!pdfDocument) return
  try {
    const renderedPages = new Map<number, RenderedPage>()
    for (const pageIndex of pageIndexes) {
      const [boxLeft, boxBottom, boxRight, boxTop] = pages[pageIndex]!.box
      const [boxWidth, boxHeight] = [boxRight - boxLeft, boxTop - boxBottom]
      const isUpright = pages[pageIndex]!.rotate % 180 === 0
      const renderScale = pageImageWidth / (isUpright ? boxWidth : boxHeight)
      if (!(boxWidth > 0 && boxHeight > 0) || boxWidth * boxHeight * renderScale * renderScale > maxPixels) continue
      try {
        renderedPages.set(
          pageIndex,
          toPng(await pdfDocument.getPage(pageIndex).render({ scale: renderScale, render: 'bitmap', colorSpace: 'Gray' })),
        )
      } catch (error) {
        discardAfterTrap(error)
        if (libraryPromise === null) break
      }
    }
    for (const finding of report.findings) {
      const { spot } = finding
      const pageImage = spot && renderedPages.get(spot.page)
      if (!pageImage) continue
      const targetRect = spot.rect ?? pages[spot.page]!.box
      finding.picture = {
        image: pageImage.image,
        mimeType: 'image/png',
        box: toPictureBox(pages[spot.page]!, targetRect, pageImage),
      }
    }
  } finally {
    if (libraryPromise !== null) pdfDocument.destroy()
  }
}
