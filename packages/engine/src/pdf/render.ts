import { PDFiumLibrary } from '@hyzyla/pdfium'
import { encode } from 'fast-png'
import type { PdfPage, Rect } from './model/page.ts'
import type { PdfReport } from './report.ts'

/** Width of a drawn page in pixels: text stays legible, and forty pages stay below a few megabytes. */
const width = 720
const mostPages = 40
/** What pdfium may be asked for: a page of a kilometre is not drawn. */
const mostPixels = 4_000_000
const mostBytes = 50 * 2 ** 20

/** Where a rectangle of a page is in its picture, whatever way the page is turned. */
function boxInPicture(page: PdfPage, [x0, y0, x1, y1]: Rect, size: { width: number; height: number }) {
  const [left, bottom, right, top] = page.box
  const [w, h] = [right - left, top - bottom]
  // Each corner as shares of the upright page, from its upper left.
  const [l, r, t, b] = [(x0 - left) / w, (x1 - left) / w, (top - y1) / h, (top - y0) / h]
  const turns: Record<number, readonly [number, number, number, number]> = {
    0: [l, t, r, b],
    90: [1 - b, l, 1 - t, r],
    180: [1 - r, 1 - b, 1 - l, 1 - t],
    270: [t, 1 - r, b, 1 - l],
  }
  const turned = turns[((page.rotate % 360) + 360) % 360] ?? turns[0]!
  const clamp = (share: number): number => Math.min(1, Math.max(0, share))
  const [a, c, d, e] = turned.map(clamp) as [number, number, number, number]
  return {
    x: Math.round(a * size.width),
    y: Math.round(c * size.height),
    width: Math.max(1, Math.round((d - a) * size.width)),
    height: Math.max(1, Math.round((e - c) * size.height)),
  }
}

/** Compiled once for a process; after a trap its memory is not to be trusted any more. */
let opened: Promise<PDFiumLibrary> | null = null

const openLibrary = (): Promise<PDFiumLibrary> => (opened ??= PDFiumLibrary.init())

function noteTrap(error: unknown): void {
  if (error instanceof WebAssembly.RuntimeError) opened = null
}

type Drawn = { image: Uint8Array; width: number; height: number }

/** Grey is enough to find something by, and a third of the bytes. */
function toPng({ data, width: w, height }: { data: Uint8Array; width: number; height: number }): Drawn {
  const grey = data.length === w * height ? data : new Uint8Array(w * height)
  if (grey !== data)
    for (let i = 0; i < grey.length; i++)
      grey[i] = Math.round(0.114 * data[4 * i]! + 0.587 * data[4 * i + 1]! + 0.299 * data[4 * i + 2]!)
  return { image: encode({ width: w, height, data: grey, channels: 1, depth: 8 }), width: w, height }
}

/**
 * Draws each page that has a finding, once, and gives the findings their page with the element marked. What pdfium cannot
 * open or draw stays without a picture.
 */
export async function renderSpots(
  bytes: Uint8Array,
  report: PdfReport,
  pages: readonly PdfPage[],
): Promise<void> {
  const wanted = [...new Set(report.findings.flatMap(({ spot }) => (spot ? [spot.page] : [])))].slice(
    0,
    mostPages,
  )
  if (wanted.length === 0 || bytes.length > mostBytes) return
  const library = await openLibrary()
  const document = await library.loadDocument(bytes).catch((error: unknown) => {
    noteTrap(error)
    return null
  })
  if (!document) return
  try {
    const drawn = new Map<number, Drawn>()
    for (const index of wanted) {
      const [left, bottom, right, top] = pages[index]!.box
      const [w, h] = [right - left, top - bottom]
      const upright = pages[index]!.rotate % 180 === 0
      const scale = width / (upright ? w : h)
      if (!(w > 0 && h > 0) || w * h * scale * scale > mostPixels) continue
      try {
        drawn.set(
          index,
          toPng(await document.getPage(index).render({ scale, render: 'bitmap', colorSpace: 'Gray' })),
        )
      } catch (error) {
        noteTrap(error)
        if (opened === null) break
      }
    }
    for (const finding of report.findings) {
      const { spot } = finding
      const picture = spot && drawn.get(spot.page)
      if (!picture) continue
      const rect = spot.rect ?? pages[spot.page]!.box
      finding.picture = {
        image: picture.image,
        mimeType: 'image/png',
        box: boxInPicture(pages[spot.page]!, rect, picture),
      }
    }
  } finally {
    if (opened !== null) document.destroy()
  }
}
