import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeVersion, RuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { standards } from '@clearway/contract/monitor/ruleset/schema.ts'
import { makeElementKey } from './element-key-in-page.ts'
import { definePageApi } from './report-in-page.ts'

type AxeModule = {
  getRules(tags?: string[]): { ruleId: string; tags: string[] }[]
}

const require = createRequire(import.meta.url)
const sources = new Map<AxeVersion, string>()

const packageOf = (version: AxeVersion): string => `axe-core-${version}`

/** The script that brings our page API into a world. */
export const pageApiScript = `(${definePageApi.toString()})(${makeElementKey.toString()})`

/** The script that brings axe of a version, unchanged, and our page API into a world. */
export function axeScript(version: AxeVersion): string {
  let source = sources.get(version)
  if (source === undefined) {
    const axe = readFileSync(require.resolve(`${packageOf(version)}/axe.min.js`), 'utf8')
    source = `${axe};${pageApiScript};0`
    sources.set(version, source)
  }
  return source
}

/** Options for `axe.run`, `runPartial` and `finishRun` alike. */
export type AxeOptions = {
  runOnly: { type: 'tag'; values: string[] }
  rules: Record<string, { enabled: true }>
  resultTypes: ['violations', 'incomplete']
  preload: { assets: ['cssom', 'media']; timeout: number }
}

/**
 * What a rule set means to axe: the tags of its standard, best practices on wish, and of the experimental rules (which axe
 * leaves out unless they are named) those that belong to either.
 */
export function axeOptions(ruleSet: RuleSet): AxeOptions {
  const values: string[] = [...standards[ruleSet.standard].tags]
  if (ruleSet.bestPractices) values.push('best-practice')
  const rules: AxeOptions['rules'] = {}
  if (ruleSet.experimental) {
    const axe = require(packageOf(ruleSet.axeVersion)) as AxeModule
    for (const { ruleId, tags } of axe.getRules(values))
      if (tags.includes('experimental') && !tags.includes('deprecated')) rules[ruleId] = { enabled: true }
  }
  return {
    runOnly: { type: 'tag', values },
    rules,
    // Passes cost a second a page and are never shown.
    resultTypes: ['violations', 'incomplete'],
    // axe waits ten seconds for a video that does not load; three are enough.
    preload: { assets: ['cssom', 'media'], timeout: 3000 },
  }
}
