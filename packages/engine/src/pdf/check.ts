import { openPdf } from './object/document.ts'
import { checkAnnotations } from './rule/annotation.ts'
import { checkDocument } from './rule/document.ts'
import { checkElements } from './rule/element.ts'
import { checkFonts } from './rule/font.ts'
import { gather } from './rule/gather.ts'
import { checkHeuristics } from './rule/heuristic.ts'
import type { Facts, Hit } from './rule/hit.ts'
import { checkTables } from './rule/table.ts'

/** A bound for memory; what is stored of a page has its own. */
const mostPerTest = 20_000

/** All hits of the PDF/UA-1 profile and of our own tests on a file. Throws `PdfError` when it cannot be read. */
export function findHits(bytes: Uint8Array): { facts: Facts; hits: Hit[]; counts: Map<string, number> } {
  const { facts, hits } = gather(openPdf(bytes))
  const found: Hit[] = []
  const counts = new Map<string, number>()
  const take = (all: Iterable<Hit>) => {
    for (const hit of all) {
      const count = (counts.get(hit.test) ?? 0) + 1
      counts.set(hit.test, count)
      if (count <= mostPerTest) found.push(hit)
    }
  }
  take(hits)
  for (const check of [
    checkDocument,
    checkElements,
    checkTables,
    checkAnnotations,
    checkFonts,
    checkHeuristics,
  ])
    take(check(facts))
  return { facts, hits: found, counts }
}
