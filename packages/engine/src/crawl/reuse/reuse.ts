import { computeFingerprint, fingerprintVersion, readFrameFacts } from '../../axe/fingerprint.ts'
import type { DocumentFacts } from '../../axe/report-in-page.ts'
import type { Tab } from '../../browser/tab.ts'
import type { Claim } from '../../frontier.ts'
import type { ScanPlan } from '../../settings.ts'
import { inPageLimits } from '../settle/limits.ts'
import { hasDocumentChanged, readDocumentState, type SettleResult } from '../settle/settle.ts'

/** Maximum time for the fingerprints of all frames; most pages need less than a twentieth. */
const maxFingerprintMs = 5000

/** A page that is about to be analyzed. */
export type IdlePage = {
  tab: Tab
  claim: Claim
  settleResult: SettleResult
  /** Remaining time of the visit, at most `maxMs`. */
  getRemainingMs: (maxMs: number) => number
}

export type ReuseDecision =
  /** The page is unchanged since the previous run: its findings are reused. */
  | { kind: 'unchanged'; facts: DocumentFacts; url: string }
  /**
   * `fingerprint`: null if it cannot be computed reliably or is not needed. `isAudited`: the page is analyzed although it
   * is unchanged.
   */
  | { kind: 'analyze'; fingerprint: string | null; isAudited: boolean }

const analyzeDecision: ReuseDecision = { kind: 'analyze', fingerprint: null, isAudited: false }

/** Reuse of the findings of unchanged pages, by one run in this process. */
export type Reuse = {
  /** Checks whether a page was analyzed before, so that another axe run may be unnecessary. */
  isKnown(claim: Claim): boolean
  /** Checks whether a page is likely unchanged. Apart from a share, such pages are not analyzed. */
  isLikelyUnchanged(claim: Claim): boolean
  /** Returns true if the last compared page was unchanged. */
  hasLastMatched(): boolean
  /** Computes the fingerprint of an idle page, and decides whether the page needs to be analyzed. */
  decide(page: IdlePage): Promise<ReuseDecision>
}

const noReuse: Reuse = {
  isKnown: () => false,
  isLikelyUnchanged: () => false,
  hasLastMatched: () => false,
  decide: () => Promise.resolve(analyzeDecision),
}

/** Reads the facts of an unchanged page; null if it changed in the meantime and may no longer be the same. */
async function readUnchanged({ tab, settleResult, getRemainingMs }: IdlePage): Promise<ReuseDecision | null> {
  const facts = await readFrameFacts(tab, getRemainingMs(maxFingerprintMs))
  const laterState = await readDocumentState(tab)
  return facts === null ||
    laterState === null ||
    settleResult.kind !== 'settled' ||
    hasDocumentChanged(settleResult.state, laterState)
    ? null
    : { kind: 'unchanged', facts, url: laterState.url }
}

/** Opens the reuse of unchanged pages, as the plan of a run allows it. */
export function openReuse({ advanced, ruleSet, commonComponents }: ScanPlan, browserVersion: string): Reuse {
  const { reuseUnchanged, reuseAuditPercent, reuseDays: _reuseDays, ...settings } = advanced
  if (!reuseUnchanged) return noReuse
  // Inputs other than the page that affect results. Findings are reused only from runs with identical conditions.
  const reuseConditions = JSON.stringify([
    fingerprintVersion,
    inPageLimits,
    browserVersion,
    ruleSet,
    settings,
    commonComponents ?? null,
  ])
  let isLastUnchanged = false
  /** True if an unchanged page was already analyzed. */
  let hasAudited = false

  const isKnown = (claim: Claim): boolean => claim.knownPrint != null
  const isLikelyUnchanged = (claim: Claim): boolean => isKnown(claim) && isLastUnchanged
  /** Audits the first unchanged page of each process, and a share of the others. */
  const shouldAudit = (): boolean => {
    const isChosen = !hasAudited || Math.random() < reuseAuditPercent / 100
    hasAudited = true
    return isChosen
  }
  return {
    isKnown,
    isLikelyUnchanged,
    hasLastMatched: () => isLastUnchanged,
    async decide(page) {
      const { tab, claim, settleResult, getRemainingMs } = page
      if (settleResult.kind !== 'settled' || !settleResult.state.complete) return analyzeDecision
      const fingerprintResult = await computeFingerprint(tab, reuseConditions, getRemainingMs(maxFingerprintMs))
      if ('cannot' in fingerprintResult) return analyzeDecision
      const { print: fingerprint } = fingerprintResult
      if (isKnown(claim)) isLastUnchanged = fingerprint === claim.knownPrint
      if (fingerprint !== claim.knownPrint) return { kind: 'analyze', fingerprint, isAudited: false }
      if (shouldAudit()) return { kind: 'analyze', fingerprint, isAudited: true }
      return (await readUnchanged(page)) ?? analyzeDecision
    },
  }
}
