import { getCurrentRule } from '@clearway/contract/monitor/issue/match/model.ts'
import { axeVersions } from '@clearway/contract/monitor/ruleset/schema.ts'
import { overrideAxeRelease } from '@clearway/engine/axe/version.ts'
import type { GateArguments, ScanArguments } from './arguments.ts'
import { isSeenWithout, type Baseline, type GateIssue } from './baseline.ts'
import { compareScan, type GateComparison } from './gate.ts'
import type { ScanResult } from './scan.ts'

/** Identity of an element's issue on a page; several elements may share it. */
const toKey = ({ page, finding }: GateIssue): string => JSON.stringify([page, getCurrentRule(finding!.rule), finding!.elementKey])

const listNewIssues = ({ issues }: GateComparison): GateIssue[] => issues.filter(({ state }) => state === 'new')

/** Limits a scan to pages, tested by the version of axe-core of a baseline. */
const toRepeatedArguments = (scanArguments: ScanArguments, urls: string[], { ruleSet }: Baseline): ScanArguments => ({
  ...scanArguments,
  urls,
  files: [],
  sitemaps: [],
  depth: 0,
  pageLimit: urls.length,
  ruleSet: { ...scanArguments.ruleSet, axeVersion: ruleSet.axeVersion },
})

/**
 * Sets apart new issues that only another version of axe-core finds: pages with new issues are tested again by the version of the
 * baseline. Issues stay new if their page could not be tested again. Only a file that was named may stand for another release: a
 * script without rules, found in a folder that a pull request changes, would turn all new issues into those of another version.
 * @param scanAgain runs a scan
 */
export async function separateAxeChanges(
  scanArguments: ScanArguments,
  { baseline, earlierAxe }: Pick<GateArguments, 'baseline' | 'earlierAxe'>,
  comparison: GateComparison,
  scanAgain: (scanArguments: ScanArguments) => Promise<ScanResult>,
): Promise<GateComparison> {
  const newIssues = listNewIssues(comparison)
  const { axeVersion } = baseline.ruleSet
  const baselineRelease = baseline.axeRelease ?? axeVersions[axeVersion]
  const ownRelease = axeVersions[scanArguments.ruleSet.axeVersion]
  if (newIssues.length === 0 || ownRelease === baselineRelease) return comparison
  if (baselineRelease === axeVersions[axeVersion]) return compareAgain(scanArguments, baseline, comparison, scanAgain)
  if (earlierAxe?.release !== baselineRelease)
    return {
      ...comparison,
      remark: `The baseline was found by axe-core ${baselineRelease}, this is ${ownRelease}: new issues may come from that. With --earlier-axe and the axe.min.js of release ${baselineRelease}, the gate tells them apart.`,
    }
  overrideAxeRelease(axeVersion, earlierAxe.file)
  try {
    return await compareAgain(scanArguments, baseline, comparison, scanAgain)
  } finally {
    overrideAxeRelease(axeVersion, null)
  }
}

/** Tests the pages with new issues again by the version of the baseline, and sets apart what it does not find. */
async function compareAgain(
  scanArguments: ScanArguments,
  baseline: Baseline,
  comparison: GateComparison,
  scanAgain: (scanArguments: ScanArguments) => Promise<ScanResult>,
): Promise<GateComparison> {
  const newIssues = listNewIssues(comparison)
  const urls = [...new Set(newIssues.flatMap(({ page }) => comparison.urls.get(page) ?? []))].filter((url) =>
    /^https?:/.test(url),
  )
  if (urls.length === 0) return comparison
  const result = await scanAgain(toRepeatedArguments(scanArguments, urls, baseline))
  if (result.kind === 'nothing') return comparison
  const repeated = compareScan(scanArguments, result, baseline)
  const testedPages = new Map(result.report.pages.map((page) => [page.url, page]))
  const remainingCounts = new Map<string, number>()
  for (const issue of listNewIssues(repeated)) remainingCounts.set(toKey(issue), (remainingCounts.get(toKey(issue)) ?? 0) + 1)
  const issues = comparison.issues.map((issue): GateIssue => {
    const testedPage = testedPages.get(comparison.urls.get(issue.page) ?? '')
    if (issue.state !== 'new' || !testedPage || !isSeenWithout(testedPage, issue.finding?.elementKey ?? '')) return issue
    const remainingCount = remainingCounts.get(toKey(issue)) ?? 0
    if (remainingCount === 0) return { ...issue, state: 'axe-changed' }
    remainingCounts.set(toKey(issue), remainingCount - 1)
    return issue
  })
  return { ...comparison, issues }
}
