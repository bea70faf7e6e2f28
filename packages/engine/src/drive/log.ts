import { hash } from 'node:crypto'
import type { DriveMode, DriveLevel } from '@clearway/contract/monitor/ruleset/drive/schema.ts'

/** Templates of one run: which pages are driven, and how far. */
export type DriveLog = {
  /** @param skeleton hashes that describe the markup of the page */
  chooseLevel(key: string, skeleton: readonly number[]): DriveLevel
}

const maxTemplates = 60
/** Share of what two pages of one template have in common. */
const minLikeness = 0.7
/**
 * One page in so many is driven whatever its template: it shows whether templates hold what they promise. A page in full costs
 * three to six visits, one in narrow windows costs one.
 */
const fullShare = 200
const narrowShare = 20

/** Number from 0 that a page keeps in every run. */
const computeBucket = (key: string, bucketCount: number): number =>
  Number.parseInt(hash('sha256', key, 'hex').slice(0, 8), 16) % bucketCount

/** Returns true for a page that is driven by its own key, whatever its template. */
export const isInFullShare = (key: string): boolean => computeBucket(key, fullShare) === 0

function computeLikeness(first: ReadonlySet<number>, second: ReadonlySet<number>): number {
  let commonCount = 0
  for (const token of first) if (second.has(token)) commonCount += 1
  const totalCount = first.size + second.size - commonCount
  return totalCount === 0 ? 1 : commonCount / totalCount
}

/** Opens the log of a run in this process. */
export function openDriveLog(mode: DriveMode): DriveLog {
  const templates: ReadonlySet<number>[] = []
  return {
    chooseLevel(key, skeleton) {
      if (mode === 'every') return 'full'
      const tokens = new Set(skeleton)
      const isKnown = templates.some((template) => computeLikeness(template, tokens) >= minLikeness)
      if (!isKnown && templates.length < maxTemplates) {
        templates.push(tokens)
        return 'full'
      }
      if (isInFullShare(key)) return 'full'
      return computeBucket(key, narrowShare) === 0 ? 'narrow' : 'page'
    },
  }
}
