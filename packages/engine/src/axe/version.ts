import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type AxeVersion, type RuleSet, standards } from '@clearway/contract/monitor/ruleset/schema.ts'
import { elementKeySource } from './element-key.ts'
import { makeEvidenceReader } from './evidence-in-page.ts'
import { makeFieldMask } from './field-mask-in-page.ts'
import { makeFurtherLinkReader } from './further-links-in-page.ts'
import { makeNodeReader, type NodeReader } from './node-reader-in-page.ts'
import { definePageApi } from './report-in-page.ts'
import { makeSelectorTools } from './selector-in-page.ts'
import { makeSignatureReader } from './signature-in-page.ts'

type AxeModule = {
  getRules(tags?: string[]): { ruleId: string; tags: string[] }[]
}

const require = createRequire(import.meta.url)
const scriptsByVersion = new Map<AxeVersion, string>()

const getPackageName = (version: AxeVersion): string => `axe-core-${version}`

/** Source text of a part that reads nodes by their getters. */
const withNodeReader = (part: (nodeReader: NodeReader) => unknown): string =>
  `() => (${part.toString()})((${makeNodeReader.toString()})())`
const pageApiParts = [
  elementKeySource,
  makeSelectorTools.toString(),
  withNodeReader(makeEvidenceReader),
  withNodeReader(makeSignatureReader),
  makeFurtherLinkReader.toString(),
]
/** Script that defines our page API in a world. */
export const pageApiScript = `globalThis.clearwayMask = (${makeFieldMask.toString()})();(${definePageApi.toString()})(${pageApiParts.join(', ')})`

const filesByVersion = new Map<AxeVersion, string>()
/** Tests with another release of a version from now on: that of a file; null ends it. */
export function overrideAxeRelease(version: AxeVersion, file: string | null): void {
  scriptsByVersion.delete(version)
  if (file === null) filesByVersion.delete(version)
  else filesByVersion.set(version, file)
}

/** Returns the script that defines the unmodified axe of a version and our page API in a world. */
export function loadAxeScript(version: AxeVersion): string {
  let axeSource = scriptsByVersion.get(version)
  if (axeSource === undefined) {
    const axeCode = readFileSync(filesByVersion.get(version) ?? require.resolve(`${getPackageName(version)}/axe.min.js`), 'utf8')
    axeSource = `${axeCode};${pageApiScript};0`
    scriptsByVersion.set(version, axeSource)
  }
  return axeSource
}

/** Expression of the JSON of axe's results, which another expression, a promise, resolves to. Fields that shadow properties are hidden. */
export const buildAxeRun = (runExpression: string, toJson: string): string =>
  `clearwayMask.during(async () => ${runExpression}).then((results) => clearwayMask.clean(${toJson}))`

/** Options shared by `axe.run`, `runPartial` and `finishRun`. */
export type AxeOptions = {
  runOnly: { type: 'tag'; values: string[] }
  rules: Record<string, { enabled: true }>
  resultTypes: ['violations', 'incomplete']
  ancestry: boolean
  elementRef: true
  preload: { assets: ['cssom', 'media']; timeout: number }
}

/**
 * Converts a rule set to axe options: the tags of its standard, optional best practices, and experimental rules of
 * either, which axe skips unless they are named.
 */
export function buildAxeOptions(ruleSet: RuleSet): AxeOptions {
  const tagNames: string[] = [...standards[ruleSet.standard].tags]
  if (ruleSet.bestPractices) tagNames.push('best-practice')
  const experimentalRules: AxeOptions['rules'] = {}
  if (ruleSet.experimental) {
    const axeModule = require(getPackageName(ruleSet.axeVersion)) as AxeModule
    for (const { ruleId, tags } of axeModule.getRules(tagNames))
      if (tags.includes('experimental') && !tags.includes('deprecated')) experimentalRules[ruleId] = { enabled: true }
  }
  return {
    runOnly: { type: 'tag', values: tagNames },
    rules: experimentalRules,
    // Passes cost a second per page and are never shown.
    resultTypes: ['violations', 'incomplete'],
    // The shortest selector may match other elements. The ancestry finds the element in results merged from frames.
    ancestry: true,
    elementRef: true,
    // axe waits ten seconds for a video that does not load; three are enough.
    preload: { assets: ['cssom', 'media'], timeout: 3000 },
  }
}
