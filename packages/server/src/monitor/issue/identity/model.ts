import type { Finding } from '@clearway/engine/outcome.ts'
import { getCurrentRule } from '@clearway/contract/monitor/issue/match/model.ts'
import { splitElementKey } from '@clearway/contract/monitor/issue/model.ts'
import { computeHash } from '../../../kit/hash.ts'
import type { StoredPage } from '../model.ts'

/** Identity of a finding by its location: traits change with texts. */
export const computeIdentity = (page: Pick<StoredPage, 'keyHash'>, finding: Finding): string =>
  computeHash(
    'v1',
    page.keyHash,
    '',
    getCurrentRule(finding.rule),
    splitElementKey(finding.elementKey).location,
    finding.ordinal,
  ).toString('hex')
/** Identities of findings by the method of keys without traits. */
export function computePreviousIdentities(page: Pick<StoredPage, 'keyHash'>, findings: readonly Finding[]): string[] {
  const nextOrdinals = new Map<string, number>()
  return findings.map((finding) => {
    const elementKey = finding.previousKey ?? finding.elementKey
    const place = `${finding.rule} ${elementKey}`
    const ordinal = nextOrdinals.get(place) ?? 0
    nextOrdinals.set(place, ordinal + 1)
    return computeIdentity(page, { ...finding, elementKey, ordinal })
  })
}
