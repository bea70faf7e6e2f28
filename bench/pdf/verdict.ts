import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isProfileTest } from '../../packages/contract/src/monitor/ruleset/pdf/model.ts'
import { findHits } from '../../packages/engine/src/pdf/check.ts'
import { PdfError } from '../../packages/engine/src/pdf/object/value.ts'

/** Our checker's result for a file. `trouble`: the reason for a failed check. */
export type Checked = { tests: Set<string>; pages: number; isTagged: boolean; ms: number; trouble: string | null }

export function checkPdfFile(path: string): Checked {
  const bytes = readFileSync(path)
  const began = performance.now()
  const emptyResult = { tests: new Set<string>(), pages: 0, isTagged: false }
  try {
    const { counts, facts } = findHits(bytes)
    const tests = new Set([...counts.keys()].filter(isProfileTest))
    return {
      tests,
      pages: facts.pages.pages.length,
      isTagged: (facts.structure?.elements.length ?? 0) > 0,
      ms: performance.now() - began,
      trouble: null,
    }
  } catch (error) {
    const trouble = error instanceof PdfError ? error.trouble : `crash: ${String(error)}`
    return { ...emptyResult, ms: performance.now() - began, trouble }
  }
}

/** Returns veraPDF's failed tests by file; null for unreadable ones. */
export function askVeraPdf(jars: string, files: readonly string[]): { results: Map<string, Set<string> | null>; ms: number } {
  const began = performance.now()
  const arguments_ = ['-cp', join(jars, '*'), 'org.verapdf.apps.GreenfieldCliWrapper', '--format', 'xml', '--flavour', 'ua1']
  const { stdout } = spawnSync('java', [...arguments_, '--maxfailuresdisplayed', '1', ...files], {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  })
  const testsByFile = new Map<string, Set<string> | null>()
  for (const job of stdout.split('<job>').slice(1)) {
    const name = /<name>([^<]*)<\/name>/.exec(job)?.[1]?.replaceAll('&amp;', '&')
    if (name === undefined) continue
    const report = job.includes('<validationReport')
    const rules = job.matchAll(/<rule [^>]*clause="([^"]+)" testNumber="(\d+)"/g)
    testsByFile.set(name, report ? new Set(Array.from(rules, ([, clause, test]) => `${clause}-${test}`)) : null)
  }
  return { results: testsByFile, ms: performance.now() - began }
}

export type Compared = { file: string; isTagged: boolean; extraTests: string[]; missingTests: string[]; sameVerdict: boolean }

/** Compares files that both could read, each with the tests failed only for Clearway and only for veraPDF. */
export function compareResults(
  ownResults: ReadonlyMap<string, Checked>,
  theirs: ReadonlyMap<string, Set<string> | null>,
): Compared[] {
  const compared: Compared[] = []
  for (const [file, tests] of theirs) {
    const ours = ownResults.get(file)
    if (!tests || !ours || ours.trouble !== null) continue
    compared.push({
      file,
      isTagged: ours.isTagged,
      extraTests: [...ours.tests].filter((test) => !tests.has(test)),
      missingTests: [...tests].filter((test) => !ours.tests.has(test)),
      sameVerdict: tests.size > 0 === ours.tests.size > 0,
    })
  }
  return compared
}

/** Formats counts of names, most frequent first. */
export function formatTally(names: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  const sorted = [...counts].sort((a, b) => b[1] - a[1])
  return sorted.map(([name, n]) => `${name} (${n})`).join(', ') || 'none'
}
