import { decodeText } from '../model/text-string.ts'
import type { StructureElement } from '../model/structure.ts'
import type { PdfFacts, Hit, TextRun } from './hit.ts'

/** Meaningless titles and alternative texts: file names and defaults of programs. */
const fileNamePattern = /\.(pdf|docx?|odt|rtf|pptx?|xlsx?|indd|qxd|pages|tex|html?|jpe?g|png|gif|tiff?|bmp|svg|webp|eps)$/i
const emptyTitlePattern =
  /^(untitled|unbenannt|sans titre|sin título|senza titolo|無題|document ?\d*|dokument ?\d*|microsoft (word|powerpoint|excel) - .*|presentation ?\d*|slide ?\d+|layout ?\d+)$/i
const emptyAltPattern = /^(image|picture|photo|graphic|figure|bild|foto|grafik|imagen|immagine|画像|img|dsc|scan)[ _-]?\d*$/i

function* checkTitle({ xmp, file }: PdfFacts): Generator<Hit> {
  const rawTitle = file.string(file.dict(file.trailer.entries.get('Info'))?.entries.get('Title'))
  const titleText = (xmp?.title ?? (rawTitle === null ? null : decodeText(rawTitle)))?.trim() ?? null
  if (titleText === null || xmp?.title === null) return
  if (titleText === '' || fileNamePattern.test(titleText) || emptyTitlePattern.test(titleText))
    yield { test: 'title-quality', text: titleText }
}

function* checkAlternatives({ structure }: PdfFacts): Generator<Hit> {
  for (const element of structure?.elements ?? []) {
    const altText = element.standardType === 'Figure' ? element.alt?.trim() : undefined
    if (altText && (fileNamePattern.test(altText) || emptyAltPattern.test(altText)))
      yield { test: 'alt-quality', element, text: altText }
  }
}

const minPagesForHeadings = 4
const maxPagesWithoutBookmarks = 20

function* checkNavigation({ structure, pages, file }: PdfFacts): Generator<Hit> {
  const pageCount = pages.pages.length
  const hasHeading = structure?.elements.some(({ standardType }) => /^H[1-6]?$/.test(standardType ?? ''))
  if (structure && structure.elements.length > 0 && pageCount >= minPagesForHeadings && !hasHeading) yield { test: 'no-headings' }
  const firstOutline = file.dict(file.dict(file.catalog.entries.get('Outlines'))?.entries.get('First'))
  if (pageCount > maxPagesWithoutBookmarks && !firstOutline) yield { test: 'no-bookmarks' }
}

function* checkPictures({ pageContents }: PdfFacts): Generator<Hit> {
  for (const [page, { hasText, pictureShare }] of pageContents.entries())
    if (!hasText && pictureShare > 0.5) yield { test: 'page-is-picture', page }
}

const isLargeText = ({ size }: TextRun): boolean => size >= 18
/** Text with a ratio close to 1 is hidden on purpose, for example line numbers under a scan. */
const minVisibleContrast = 1.1

function* checkContrasts({ runs }: PdfFacts): Generator<Hit> {
  const reportedKeys = new Set<string>()
  for (const textRun of runs) {
    if (textRun.contrast === null || textRun.contrast < minVisibleContrast) continue
    if (textRun.contrast >= (isLargeText(textRun) ? 3 : 4.5) - 0.005) continue
    // One hit per page, element and ratio: a paragraph is a single fault.
    const hitKey = `${textRun.page} ${textRun.element?.path ?? ''} ${textRun.contrast.toFixed(1)}`
    if (reportedKeys.has(hitKey)) continue
    reportedKeys.add(hitKey)
    yield { test: 'low-contrast', page: textRun.page, rect: textRun.rect, element: textRun.element, text: textRun.text }
  }
}

type TextBlock = { element: StructureElement; page: number; top: number; left: number; right: number }

/** Returns elements with direct text in tag order, with their positions. */
function listTextBlocks({ structure, bounds }: PdfFacts): TextBlock[] {
  return (structure?.elements ?? []).flatMap((element) => {
    const elementBounds = bounds.get(element)
    if (!elementBounds?.rect) return []
    return [
      {
        element,
        page: elementBounds.page,
        top: elementBounds.rect[3],
        left: elementBounds.rect[0],
        right: elementBounds.rect[2],
      },
    ]
  })
}

/** Maximum number of upward jumps in one column that do not occur when reading in order. */
const maxJumps = 2

function* checkReadingOrder(facts: PdfFacts): Generator<Hit> {
  const jumpsByPage = new Map<number, TextBlock[]>()
  let previousBlock: TextBlock | null = null
  for (const textBlock of listTextBlocks(facts)) {
    const isSameColumn =
      previousBlock &&
      previousBlock.page === textBlock.page &&
      previousBlock.left < textBlock.right &&
      textBlock.left < previousBlock.right
    if (previousBlock && isSameColumn && textBlock.top > previousBlock.top + 36)
      jumpsByPage.set(textBlock.page, [...(jumpsByPage.get(textBlock.page) ?? []), textBlock])
    previousBlock = textBlock
  }
  for (const [page, jumpBlocks] of jumpsByPage)
    if (jumpBlocks.length > maxJumps) yield { test: 'reading-order', page, element: jumpBlocks[0]!.element }
}

/** Checks beyond PDF/UA. Hits of rules that require review are suspicions. */
export function* checkHeuristics(facts: PdfFacts): Generator<Hit> {
  yield* checkTitle(facts)
  yield* checkAlternatives(facts)
  yield* checkNavigation(facts)
  yield* checkPictures(facts)
  yield* checkContrasts(facts)
  yield* checkReadingOrder(facts)
  // In a tagged file, each text may declare its language; without tags, only the document can.
  if (!facts.catalogLanguage && !facts.structure) yield { test: 'catalog-language' }
  if (facts.file.dict(facts.file.catalog.entries.get('Collection'))) yield { test: 'portfolio' }
}
