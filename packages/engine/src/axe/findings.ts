import { createHash } from 'node:crypto'
import type { Impact } from '@clearway/contract/monitor/ruleset/schema.ts'
import type { Finding } from '../outcome.ts'
import type { ElementReference, RawResults, RawRule } from './report-in-page.ts'

const longestKey = 250

/** Long keys end in a hash, so that a database can index them. */
function bounded(key: string): string {
  if (key.length <= longestKey) return key
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 16)
  return `${key.slice(0, longestKey - 17)}~${hash}`
}

const impacts = new Set(['critical', 'serious', 'moderate', 'minor'])
const impactOf = (text: string | null): Impact | null =>
  text !== null && impacts.has(text) ? (text as Impact) : null

/** One finding for each element that each rule names: violations, then what a person must look at, in axe's order. */
export function findingsOf(
  results: RawResults,
  elements: readonly ElementReference[],
  components: readonly string[] = [],
): Finding[] {
  const findings: Finding[] = []
  const ordinals = new Map<string, number>()
  let index = 0
  const add = (rule: RawRule, needsReview: boolean) => {
    for (const node of rule.nodes) {
      const element = elements[index++] ?? null
      const impact = impactOf(node.impact ?? rule.impact)
      const selector = JSON.stringify(node.target)
      const elementKey = bounded(element?.key ?? `selector ${selector}`)
      const bag = `${rule.id} ${elementKey}`
      const ordinal = ordinals.get(bag) ?? 0
      ordinals.set(bag, ordinal + 1)
      findings.push({
        rule: rule.id,
        impact,
        severity: needsReview ? 'needs review' : (impact ?? 'minor'),
        help: rule.help,
        description: rule.description,
        helpUrl: rule.helpUrl,
        tags: rule.tags,
        target: node.target,
        html: node.html,
        fix: { any: node.any, all: node.all, none: node.none },
        elementKey,
        elementPattern: bounded(element?.pattern ?? `selector ${selector}`),
        ordinal,
        component: components[element?.component ?? -1] ?? null,
        picture: null,
      })
    }
  }
  for (const rule of results.violations) add(rule, false)
  for (const rule of results.incomplete) add(rule, true)
  return findings
}
