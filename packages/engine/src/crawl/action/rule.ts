import { signsIn, type ScanPlan } from '../../settings.ts'
import { openGlobRules } from '../scope/url-rules.ts'
import { judgeActing, type ActingReason, type LinkHints } from './judge.ts'
import { isTokenValue } from './token.ts'

/** Rule of a run for links that may sign out or change something. */
export type ActingRule = {
  /** False if the scan opens all links. */
  isOn: boolean
  /** Returns why a link is not opened; null if it is. */
  findReason: (url: URL, hints?: LinkHints) => ActingReason | null
  /** Returns true if a visit may have changed something, so that it must not be repeated. Allowed URLs count. */
  mayAct: (url: string) => boolean
  /** Leaves out a link that ended the session from now on. Returns its pattern. */
  learnSignOut: (url: string) => string
}

const maxRemembered = 20_000

const learnedReason: ActingReason = { kind: 'sign-out', detail: 'the session ended right after it was opened' }

/** The pattern of a link that ended the session: its address, with any value in place of a token. */
function toSignOutPattern(urlText: string): string {
  const url = new URL(urlText)
  const parameters = [...url.searchParams].map(([name, value]) =>
    isTokenValue(value) ? `${encodeURIComponent(name)}=*` : `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  )
  return `${url.origin}${url.pathname}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}${url.hash}`
}

/** Opens the rule of a run. It applies to every scan that signs in, and to others if their settings say so. */
export function openActingRule(plan: ScanPlan): ActingRule {
  const isOn = signsIn(plan) || plan.advanced.skipActingLinks
  const { findMatch } = openGlobRules(plan.advanced.actingUrlsToOpen)
  const learnedPatterns = [...(plan.signOutUrls ?? [])]
  let learnedRules = openGlobRules(learnedPatterns)
  // Most links are on many pages.
  const reasons = new Map<string, ActingReason | null>()
  const judgeOnce = (url: URL, hints: LinkHints = {}): ActingReason | null => {
    const linkKey = `${hints.acts ?? ''}\n${hints.label ?? ''}\n${url.href}`
    const knownReason = reasons.get(linkKey)
    if (knownReason !== undefined) return knownReason
    const reason = learnedRules.findMatch(url.href) === null ? judgeActing(url, hints) : learnedReason
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
    learnSignOut(url) {
      const pattern = toSignOutPattern(url)
      if (!learnedPatterns.includes(pattern)) learnedPatterns.push(pattern)
      learnedRules = openGlobRules(learnedPatterns)
      reasons.clear()
      return pattern
    },
  }
}

/** Explains to people why a link was not opened, in English. */
export const describeActing = ({ kind, detail }: ActingReason): string =>
  kind === 'sign-out' ? `It would sign the scan out: ${detail}` : `It may change something: ${detail}`
