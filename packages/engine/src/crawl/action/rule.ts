import type { UrlRule } from '@clearway/contract/monitor/scan/crawl/schema.ts'
import { signsIn, type ScanPlan } from '../../settings.ts'
import { openUrlRules } from '../scope/url-rules.ts'
import { judgeActing, type ActingReason, type LinkHints } from './judge.ts'

/** Rule of a run for links that may sign out or change something. */
export type ActingRule = {
  /** False if the scan opens all links. */
  isOn: boolean
  /** Returns why a link is not opened; null if it is. */
  findReason: (url: URL, hints?: LinkHints) => ActingReason | null
  /** Returns true if a visit may have changed something, so that it must not be repeated. Allowed URLs count. */
  mayAct: (url: string) => boolean
}

const maxRemembered = 20_000

/** Opens the rule of a run. It applies to every scan that signs in, and to others if their settings say so. */
export function openActingRule(plan: ScanPlan): ActingRule {
  const isOn = signsIn(plan) || plan.advanced.skipActingLinks
  const { findMatch } = openUrlRules(plan.advanced.actingUrlsToOpen.map((pattern): UrlRule => ({ kind: 'glob', pattern })))
  // Most links are on many pages.
  const reasons = new Map<string, ActingReason | null>()
  const judgeOnce = (url: URL, hints: LinkHints = {}): ActingReason | null => {
    const linkKey = `${hints.acts ?? ''}\n${hints.label ?? ''}\n${url.href}`
    const knownReason = reasons.get(linkKey)
    if (knownReason !== undefined) return knownReason
    const reason = judgeActing(url, hints)
    if (reasons.size >= maxRemembered) reasons.clear()
    reasons.set(linkKey, reason)
    return reason
  }
  return {
    isOn,
    findReason(url, hints) {
      const reason = isOn ? judgeOnce(url, hints) : null
      return reason !== null && findMatch(url.href) === null ? reason : null
    },
    mayAct(urlText) {
      const url = URL.parse(urlText)
      return url !== null && judgeOnce(url) !== null
    },
  }
}

/** Explains to people why a link was not opened, in English. */
export const describeActing = ({ kind, detail }: ActingReason): string =>
  kind === 'sign-out' ? `It would sign the scan out: ${detail}` : `It may change something: ${detail}`
