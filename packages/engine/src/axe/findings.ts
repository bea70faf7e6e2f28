import { createHash } from 'node:crypto'
import { splitElementKey } from '@clearway/contract/monitor/issue/model.ts'
import type { Impact } from '@clearway/contract/monitor/ruleset/schema.ts'
import type { Finding } from '../outcome.ts'
import type { ElementReference, RawResults, RawRule } from './report-in-page.ts'

const maxKeyLength = 250

/** Long keys are shortened with a hash, so that a database can index them. */
function limitKey(key: string): string {
  if (key.length <= maxKeyLength) return key
  const keyHash = createHash('sha256').update(key).digest('hex').slice(0, 16)
  return `${key.slice(0, maxKeyLength - 17)}~${keyHash}`
}

/** Shortens the location of a key. Traits are few, and hashes already. */
function limitElementKey(key: string): { location: string; elementKey: string } {
  const { location, traits } = splitElementKey(key)
  const boundedLocation = limitKey(location)
  return { location: boundedLocation, elementKey: traits === null ? boundedLocation : `${boundedLocation}\t${traits.join('.')}` }
}

const impacts = new Set(['critical', 'serious', 'moderate', 'minor'])
const toImpact = (impactText: string | null): Impact | null =>
  impactText !== null && impacts.has(impactText) ? (impactText as Impact) : null

/** Returns one finding for each element of each rule: violations, then incomplete results, in axe's order. */
export function toFindings(
  results: RawResults,
  elements: readonly ElementReference[],
  components: readonly string[] = [],
): Finding[] {
  const pageFindings: Finding[] = []
  const nextOrdinals = new Map<string, number>()
  let elementIndex = 0
  const addRule = (rule: RawRule, needsReview: boolean) => {
    for (const node of rule.nodes) {
      const elementReference = elements[elementIndex++] ?? null
      const nodeImpact = toImpact(node.impact ?? rule.impact)
      const targetJson = JSON.stringify(node.target)
      const { location, elementKey } = limitElementKey(elementReference?.key ?? `selector ${targetJson}`)
      const ordinalKey = `${rule.id} ${location}`
      const nextOrdinal = nextOrdinals.get(ordinalKey) ?? 0
      nextOrdinals.set(ordinalKey, nextOrdinal + 1)
      pageFindings.push({
        rule: rule.id,
        impact: nodeImpact,
        severity: needsReview ? 'needs review' : (nodeImpact ?? 'minor'),
        help: rule.help,
        description: rule.description,
        helpUrl: rule.helpUrl,
        tags: rule.tags,
        target: node.target,
        html: node.html,
        fix: { any: node.any, all: node.all, none: node.none },
        elementKey,
        previousKey: limitKey(elementReference?.previousKey ?? location),
        elementPattern: limitKey(elementReference?.pattern ?? `selector ${targetJson}`),
        ordinal: nextOrdinal,
        component: components[elementReference?.component ?? -1] ?? null,
        picture: null,
      })
    }
  }
  for (const rule of results.violations) addRule(rule, false)
  for (const rule of results.incomplete) addRule(rule, true)
  return pageFindings
}
