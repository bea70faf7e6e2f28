import { maxSketchWords, type PageEvidence } from '@clearway/contract/monitor/page/evidence/schema.ts'
import { nameWall } from '@clearway/contract/monitor/page/wall/model.ts'
import type { DocumentEvidence } from './evidence-in-page.ts'

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/** Combines the evidence of a page's documents. */
export function combineEvidence(
  documents: readonly DocumentEvidence[],
  { title, failedRequests }: Pick<PageEvidence, 'title' | 'failedRequests'>,
): PageEvidence {
  const textLength = sum(documents.map((document) => document.textLength))
  const outOfReachLength = sum(documents.map((document) => document.outOfReachLength))
  const paintedLength = textLength + outOfReachLength
  const textHashes = documents.flatMap(({ textHash }) => textHash ?? [])
  const words = new Set(documents.flatMap((document) => document.words))
  return {
    textLength,
    textHash: textHashes.length > 0 ? textHashes.join(' ').slice(0, 200) : null,
    words: [...words].sort((first, second) => first - second).slice(0, maxSketchWords),
    outOfReach: paintedLength === 0 ? 0 : Math.round((outOfReachLength / paintedLength) * 1000) / 1000,
    outOfReachLength,
    links: sum(documents.map(({ links }) => links)),
    landmarks: sum(documents.map(({ landmarks }) => landmarks)),
    controls: sum(documents.map(({ controls }) => controls)),
    title: title.slice(0, 300),
    failedRequests,
    retained: null,
    likelyWall: nameWall([title, ...documents.map(({ text }) => text)].join(' ')),
  }
}
