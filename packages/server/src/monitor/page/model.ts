import { computeHealth, isFoundOnBanner } from '@clearway/contract/monitor/page/model.ts'
import type { Health, PageNotice } from '@clearway/contract/monitor/page/schema.ts'
import { hasWall } from '@clearway/contract/monitor/page/wall/model.ts'
import type { PageOutcome } from '@clearway/engine/outcome.ts'
import { computeHash } from '../../kit/hash.ts'
import { defineStoredWords } from '../../kit/stored-word.ts'
import { severities } from '../issue/model.ts'

const hashesByContent = new WeakMap<Uint8Array, { scanId: string; hash: Buffer }>()

/** Hash by which bytes or a text of a scan are stored. Many findings share a picture, so each is hashed only once. */
export function blobHash(scanId: string, content: string | Uint8Array): Buffer {
  if (typeof content === 'string') return computeHash(scanId, content)
  const cachedHash = hashesByContent.get(content)
  if (cachedHash?.scanId === scanId) return cachedHash.hash
  const contentHash = computeHash(scanId, content)
  hashesByContent.set(content, { scanId, hash: contentHash })
  return contentHash
}

/** Stored by index. The first three correspond to the severities of the same index. Never reorder. */
export const healths = defineStoredWords<Health>()(['critical', 'serious', 'moderate', 'good'])

/** Stored facts about a page that decide whether it has a health, and which. `openCounts`: its open issues by severity. */
type HealthFacts = {
  kind: PageOutcome['kind']
  notices: readonly PageNotice[]
  foundOn: string | null
  openCounts: readonly number[]
}

/**
 * The health of a page without ignored issues; null for a page that does not count in the score: its content was not seen. The SQL
 * version of this condition is `hasHealth`.
 */
export const computePageHealth = ({ kind, notices, foundOn, openCounts }: HealthFacts): Health | null =>
  kind === 'completed' && !hasWall(notices) && !isFoundOnBanner(foundOn)
    ? computeHealth(severities.filter((_, index) => (openCounts[index] ?? 0) > 0))
    : null

/** The number by which a health is stored. */
export const toHealthNumber = (health: Health | null): number | null => (health === null ? null : healths.indexOf(health))
