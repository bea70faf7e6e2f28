import { decodeText } from '../model/text-string.ts'
import type { Element } from '../model/structure.ts'
import type { Facts, Hit, TextRun } from './hit.ts'

/** Titles and alternative texts that say nothing: names of files, and what programs put there by themselves. */
const fileName =
  /\.(pdf|docx?|odt|rtf|pptx?|xlsx?|indd|qxd|pages|tex|html?|jpe?g|png|gif|tiff?|bmp|svg|webp|eps)$/i
const emptyTitle =
  /^(untitled|unbenannt|sans titre|sin título|senza titolo|無題|document ?\d*|dokument ?\d*|microsoft (word|powerpoint|excel) - .*|presentation ?\d*|slide ?\d+|layout ?\d+)$/i
const emptyAlternative =
  /^(image|picture|photo|graphic|figure|bild|foto|grafik|imagen|immagine|画像|img|dsc|scan)[ _-]?\d*$/i

function* title({ xmp, file }: Facts): Generator<Hit> {
  const raw = file.string(file.dict(file.trailer.entries.get('Info'))?.entries.get('Title'))
  const text = (xmp?.title ?? (raw === null ? null : decodeText(raw)))?.trim() ?? null
  if (text === null || xmp?.title === null) return
  if (text === '' || fileName.test(text) || emptyTitle.test(text)) yield { test: 'title-quality', text }
}

function* alternatives({ structure }: Facts): Generator<Hit> {
  for (const element of structure?.elements ?? []) {
    const alt = element.standardType === 'Figure' ? element.alt?.trim() : undefined
    if (alt && (fileName.test(alt) || emptyAlternative.test(alt)))
      yield { test: 'alt-quality', element, text: alt }
  }
}

const headingPages = 4
const bookmarkPages = 20

function* navigation({ structure, pages, file }: Facts): Generator<Hit> {
  const count = pages.pages.length
  const hasHeading = structure?.elements.some(({ standardType }) => /^H[1-6]?$/.test(standardType ?? ''))
  if (structure && structure.elements.length > 0 && count >= headingPages && !hasHeading)
    yield { test: 'no-headings' }
  const outlines = file.dict(file.dict(file.catalog.entries.get('Outlines'))?.entries.get('First'))
  if (count > bookmarkPages && !outlines) yield { test: 'no-bookmarks' }
}

function* pictures({ pageContents }: Facts): Generator<Hit> {
  for (const [page, { hasText, pictureShare }] of pageContents.entries())
    if (!hasText && pictureShare > 0.5) yield { test: 'page-is-picture', page }
}

const isLarge = ({ size }: TextRun): boolean => size >= 18
/** A ratio this near to 1 is text that is hidden on purpose, as line numbers under a scan. */
const hiddenBelow = 1.1

function* contrasts({ runs }: Facts): Generator<Hit> {
  const said = new Set<string>()
  for (const run of runs) {
    if (run.contrast === null || run.contrast < hiddenBelow) continue
    if (run.contrast >= (isLarge(run) ? 3 : 4.5) - 0.005) continue
    // One hit a page, element and ratio: a paragraph is not twenty faults.
    const key = `${run.page} ${run.element?.path ?? ''} ${run.contrast.toFixed(1)}`
    if (said.has(key)) continue
    said.add(key)
    yield { test: 'low-contrast', page: run.page, rect: run.rect, element: run.element, text: run.text }
  }
}

type Block = { element: Element; page: number; top: number; left: number; right: number }

/** Elements that hold text directly, in the order of the tags, with where they begin. */
function blocksOf({ structure, bounds }: Facts): Block[] {
  return (structure?.elements ?? []).flatMap((element) => {
    const at = bounds.get(element)
    if (!at?.rect) return []
    return [{ element, page: at.page, top: at.rect[3], left: at.rect[0], right: at.rect[2] }]
  })
}

/** Jumps upwards in one column that reading in order would not make. */
const mostJumps = 2

function* order(facts: Facts): Generator<Hit> {
  const jumps = new Map<number, Block[]>()
  let before: Block | null = null
  for (const block of blocksOf(facts)) {
    const sameColumn =
      before && before.page === block.page && before.left < block.right && block.left < before.right
    if (before && sameColumn && block.top > before.top + 36)
      jumps.set(block.page, [...(jumps.get(block.page) ?? []), block])
    before = block
  }
  for (const [page, blocks] of jumps)
    if (blocks.length > mostJumps) yield { test: 'reading-order', page, element: blocks[0]!.element }
}

/** What no profile tests and people still meet. Hits of rules that ask for review are suspicions. */
export function* checkHeuristics(facts: Facts): Generator<Hit> {
  yield* title(facts)
  yield* alternatives(facts)
  yield* navigation(facts)
  yield* pictures(facts)
  yield* contrasts(facts)
  yield* order(facts)
  // In a tagged file each text may name its own; where there are no tags, only the document can.
  if (!facts.catalogLanguage && !facts.structure) yield { test: 'catalog-language' }
  if (facts.file.dict(facts.file.catalog.entries.get('Collection'))) yield { test: 'portfolio' }
}
