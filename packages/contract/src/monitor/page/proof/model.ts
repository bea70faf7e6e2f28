import { isInFrame } from '../../issue/model.ts'
import type { ExclusionReason, FailureReason, PageNotice } from '../schema.ts'

/**
 * Conclusions that the outcome of a page allows about issues that the run did not find on it.
 * - `presence-and-absence`: found issues are there, missing ones are fixed.
 * - `presence-and-absence-outside-frames`: the same, except for issues inside frames, whose missing ones were not rechecked.
 * - `presence`: found issues are there, missing ones were not rechecked.
 * - `nothing`: the page was not seen, its issues were not rechecked.
 * - `page-gone`: the page has left the site or the scan.
 * - `page-gone-in-clear-run`: the same, but only in a run that visited every URL, met most pages of the last whole run and
 *   saw most content. A wall can redirect every URL, answer with another type, or hide the links to a page.
 */
export const pageProofs = [
  'presence-and-absence',
  'presence-and-absence-outside-frames',
  'presence',
  'nothing',
  'page-gone',
  'page-gone-in-clear-run',
] as const
export type PageProof = (typeof pageProofs)[number]

/** The proof of every notice of a completed page. */
export const noticeProofs: Readonly<
  Record<PageNotice, Extract<PageProof, 'presence' | 'presence-and-absence' | 'presence-and-absence-outside-frames'>>
> = {
  'did-not-settle': 'presence',
  'not-fully-loaded': 'presence',
  'element-not-found': 'presence',
  // Content behind a banner is there as before; content out of reach has a notice of its own.
  'banner-not-closed': 'presence-and-absence',
  // Selectors of former banners stay in settings; content out of reach has a notice of its own.
  'banner-button-not-found': 'presence-and-absence',
  // The page around the frame was tested whole.
  'frame-not-tested': 'presence-and-absence-outside-frames',
  'issue-limit-reached': 'presence',
  // Only the stored source is cut; the whole page was analyzed.
  'content-truncated': 'presence-and-absence',
  // The page itself was tested; the pages behind the other links were not met.
  'links-not-followed': 'presence-and-absence',
  // It is on every page of an installation, in every run.
  'embedded-browser-fonts': 'presence-and-absence',
  'pdf-partly-checked': 'presence',
  'pdf-partly-read': 'presence',
  'content-out-of-reach': 'presence',
  'same-as-other-pages': 'presence',
  'unlike-last-time': 'presence',
  'issues-disappeared': 'presence',
  'own-requests-failed': 'presence',
  'asks-for-password': 'presence',
  // Content that the page would have asked for may be missing.
  'requests-held': 'presence',
}

/** The proof of every failure: only an answer that the page does not exist says anything. */
export const failureProofs: Readonly<Record<FailureReason, Extract<PageProof, 'nothing' | 'page-gone'>>> = {
  'bad-url': 'nothing',
  'unknown-host': 'nothing',
  'connection-refused': 'nothing',
  'connection-failed': 'nothing',
  'bad-certificate': 'nothing',
  'address-refused': 'nothing',
  'http-400': 'nothing',
  'http-401': 'nothing',
  'http-403': 'nothing',
  'http-404': 'page-gone',
  'http-410': 'page-gone',
  'bot-protection': 'nothing',
  'http-error': 'nothing',
  'redirect-loop': 'nothing',
  'client-redirect': 'nothing',
  'timeout-download': 'nothing',
  'timeout-command': 'nothing',
  'timeout-generic': 'nothing',
  'too-large': 'nothing',
  'binary-instead-of-html': 'nothing',
  'html-instead-of-pdf': 'nothing',
  'pdf-damaged': 'nothing',
  'pdf-locked': 'nothing',
  'pdf-too-complex': 'nothing',
  'mime-type': 'nothing',
  'violates-settings': 'nothing',
  authentication: 'nothing',
  'session-failed': 'nothing',
  'task-not-processed': 'nothing',
  'invalid-task': 'nothing',
  'invalid-header': 'nothing',
  'script-event-missing': 'nothing',
  'page-crashed': 'nothing',
  'out-of-memory': 'nothing',
  'too-many-dialogs': 'nothing',
  'axe-failed': 'nothing',
  'rules-not-found': 'nothing',
  'browser-driver': 'nothing',
  'browser-cluster': 'nothing',
  'server-not-updated': 'nothing',
  'results-not-saved': 'nothing',
  backend: 'nothing',
}

/**
 * The proof of every exclusion by which a URL was not visited. A visited URL that was excluded proves at most
 * `page-gone-in-clear-run`: the site decided where it leads.
 */
export const exclusionProofs: Readonly<
  Record<ExclusionReason, Extract<PageProof, 'nothing' | 'page-gone' | 'page-gone-in-clear-run'>>
> = {
  'other-domain': 'page-gone',
  'outside-folder': 'page-gone',
  // The depth of a page grows when the links to it disappear.
  'too-deep': 'page-gone-in-clear-run',
  'over-limit': 'nothing',
  robots: 'nothing',
  'mime-type': 'page-gone-in-clear-run',
  redirect: 'page-gone-in-clear-run',
  duplicate: 'page-gone-in-clear-run',
  scheme: 'page-gone',
  'excluded-by-rule': 'page-gone',
  'not-included': 'page-gone',
  'url-to-skip': 'page-gone',
  // The page may be as it was: opening it is what the scan avoids.
  'acting-link': 'nothing',
  // The words of a wall can match the rule.
  'keyword-rule': 'nothing',
  trap: 'nothing',
  'not-a-page': 'nothing',
  'pdf-date': 'nothing',
  'pdf-count': 'nothing',
}

const listReasons = <Reason extends string, Proof extends PageProof>(
  proofTable: Readonly<Record<Reason, Proof>>,
  proof: NoInfer<Proof>,
): Reason[] => (Object.keys(proofTable) as Reason[]).filter((reason) => proofTable[reason] === proof)

/** Notices of pages on which a missing issue is not proven fixed. */
export const presenceOnlyNotices: readonly PageNotice[] = listReasons(noticeProofs, 'presence')
/** Notices of pages on which a missing issue inside a frame is not proven fixed. */
export const untestedFrameNotices: readonly PageNotice[] = listReasons(noticeProofs, 'presence-and-absence-outside-frames')
/** Failures of pages that no longer exist. */
export const goneFailures: readonly FailureReason[] = listReasons(failureProofs, 'page-gone')
/** Exclusions that prove a page gone if its URL was not visited. */
export const goneExclusions: readonly ExclusionReason[] = listReasons(exclusionProofs, 'page-gone')
/** Exclusions that prove a page gone in a run that met most pages of the previous one and no wall. */
export const goneExclusionsOfClearRuns: readonly ExclusionReason[] = [
  ...goneExclusions,
  ...listReasons(exclusionProofs, 'page-gone-in-clear-run'),
]

/** Returns true if an issue that is missing on a completed page with these notices is fixed. @param elementKey of the issue */
export const provesAbsence = (notices: readonly PageNotice[], elementKey: string): boolean =>
  !notices.some(
    (notice) => presenceOnlyNotices.includes(notice) || (untestedFrameNotices.includes(notice) && isInFrame(elementKey)),
  )

/** Returns true if a run that met `metCount` of the `previousCount` pages of the previous one met most of them. */
export const hasMetMostPages = (metCount: number, previousCount: number): boolean => metCount * 2 >= previousCount
