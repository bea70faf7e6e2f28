import { type BranchRunBody, branchRunLimits, BranchRunSummary } from '@clearway/contract/monitor/run/branch/schema.ts'
import { formatSelector } from '@clearway/contract/monitor/issue/model.ts'
import * as z from 'zod/mini'
import { BaselineError } from './baseline.ts'
import type { BranchFacts, UploadTarget } from './branch-facts.ts'
import { exitCodes } from './exit-code.ts'
import type { GateIssueReport, GateReport } from './gate.ts'
import { callServer } from './server-baseline.ts'

/** Shortens a text without splitting a letter; the database stores no NUL. */
const shorten = (text: string, maxLength: number): string => text.replaceAll('\0', '').slice(0, maxLength).toWellFormed()

/** Everything to fix, then the ways of which one is enough. */
const listFixes = ({ all, none, any }: GateIssueReport['fix']): string =>
  [...all, ...none, any.join('; ')].filter(Boolean).join('. ')
const toWebLink = (url: string): string | null =>
  /^https?:\/\/\S+$/i.test(url) && url.length <= branchRunLimits.link ? url : null

const toBranchIssue = ({ url, rule, severity, help, helpUrl, target, html, fix }: GateIssueReport) => ({
  url: shorten(url, branchRunLimits.url),
  rule: shorten(rule, branchRunLimits.rule),
  severity,
  help: shorten(help, branchRunLimits.text),
  helpUrl: toWebLink(helpUrl),
  selector: shorten(formatSelector(target), branchRunLimits.text),
  html: shorten(html, branchRunLimits.text),
  fix: shorten(listFixes(fix), branchRunLimits.text),
})

const resultsByExitCode: ReadonlyMap<number, BranchRunBody['result']> = new Map([
  [exitCodes.success, 'passed'],
  [exitCodes.failed, 'failed'],
])

/** Result of a gate as a server stores it, with the first entries of each list. */
export function toBranchRun(branchFacts: BranchFacts, gateReport: GateReport, exitCode: number): BranchRunBody {
  const { entries: maxEntries, url: maxUrl, rule: maxRule, text: maxText } = branchRunLimits
  const toCount = ({ page, rule, issues }: GateReport['fixed'][number]) => ({
    page: shorten(page, maxUrl),
    rule: shorten(rule, maxRule),
    issues,
  })
  return {
    ...branchFacts,
    result: resultsByExitCode.get(exitCode) ?? 'incomplete',
    axeRelease: gateReport.axe,
    baselineAxe: gateReport.baselineAxe,
    failOn: gateReport.failOn,
    totals: {
      ...gateReport.totals,
      otherNew: gateReport.otherNewIssues.length,
      unchecked: gateReport.unchecked.length,
    },
    newIssues: gateReport.newIssues.slice(0, maxEntries).map(toBranchIssue),
    otherNewIssues: gateReport.otherNewIssues.slice(0, maxEntries).map(toBranchIssue),
    axeChangedIssues: gateReport.axeChangedIssues.slice(0, maxEntries).map(toBranchIssue),
    unchecked: gateReport.unchecked.slice(0, maxEntries).map(({ target, reason, detail }) => ({
      target: shorten(target, maxUrl),
      reason: shorten(reason, maxRule),
      detail: shorten(detail, maxText),
    })),
    notChecked: gateReport.notChecked.slice(0, maxEntries).map(toCount),
    fixed: gateReport.fixed.slice(0, maxEntries).map(toCount),
  }
}

/**
 * Stores the result of a gate on the server.
 * @returns a sentence, and false if the result could not be stored
 */
export async function uploadGate(
  { source, scanId, branchFacts }: UploadTarget,
  gateReport: GateReport,
  exitCode: number,
): Promise<{ isStored: boolean; message: string }> {
  try {
    const body = toBranchRun(branchFacts, gateReport, exitCode)
    const { id } = await callServer(source, `/scans/${scanId}/branchRuns`, z.pick(BranchRunSummary, { id: true }), body)
    return {
      isStored: true,
      message: `Uploaded as a result of the branch ${branchFacts.branch}: ${source.serverUrl}/monitor/scans/${scanId}/branches/${id}`,
    }
  } catch (error) {
    if (!(error instanceof BaselineError)) throw error
    return { isStored: false, message: `The result was not uploaded. ${error.message}` }
  }
}
