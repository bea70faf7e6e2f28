import { openPdf } from './object/document.ts'
import { checkAnnotations } from './rule/annotation.ts'
import { checkDocument } from './rule/document.ts'
import { checkElements } from './rule/element.ts'
import { checkFonts } from './rule/font.ts'
import { gatherFacts } from './rule/gather-facts.ts'
import { checkHeuristics } from './rule/beyond-standard.ts'
import type { PdfFacts, Hit } from './rule/hit.ts'
import { checkTables } from './rule/table.ts'

/** Memory limit per test; the number of stored findings has a separate limit. */
const maxHitsPerTest = 20_000

/** Returns all hits of the PDF/UA-1 profile and of our own tests. @throws PdfError if the file cannot be read */
export function findHits(bytes: Uint8Array): { facts: PdfFacts; hits: Hit[]; counts: Map<string, number> } {
  const { facts, hits } = gatherFacts(openPdf(bytes))
  const collectedHits: Hit[] = []
  const hitCounts = new Map<string, number>()
  const collectHits = (newHits: Iterable<Hit>) => {
    for (const hit of newHits) {
      const hitCount = (hitCounts.get(hit.test) ?? 0) + 1
      hitCounts.set(hit.test, hitCount)
      if (hitCount <= maxHitsPerTest) collectedHits.push(hit)
    }
  }
  collectHits(hits)
  for (const runChecks of [checkDocument, checkElements, checkTables, checkAnnotations, checkFonts, checkHeuristics])
    collectHits(runChecks(facts))
  return { facts, hits: collectedHits, counts: hitCounts }
}
