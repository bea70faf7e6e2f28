import type { ExclusionReason, FailureReason, PageNotice } from '@clearway/contract/monitor/page/schema.ts'
import type { SignInMark } from '@clearway/contract/monitor/session/schema.ts'
import type { PictureCache } from '../../axe/screenshots.ts'
import type { DocumentFacts } from '../../axe/report-in-page.ts'
import type { AxeOptions } from '../../axe/version.ts'
import type { FetchText } from '../../guard/fetch.ts'
import type { Guard } from '../../guard/guard.ts'
import type { Slot } from '../../browser/slots.ts'
import type { Tab } from '../../browser/tab.ts'
import { isLastAttempt, retryPolicies } from '../../failure.ts'
import type { Claim, StateOutcome } from '../../frontier.ts'
import type { PageOutcome } from '../../outcome.ts'
import type { Secrets } from '../../script/secret.ts'
import type { ScanPlan } from '../../settings.ts'
import type { Reuse } from '../reuse/reuse.ts'
import type { BannerLog } from '../banner/banner-log.ts'
import type { Arrival } from './arrive.ts'
import type { WallLog } from './wall-log.ts'
import type { DriveLog } from '../../drive/log.ts'
import type { DriveTabs } from '../../drive/tabs.ts'
import type { ActingRule } from '../action/rule.ts'
import type { BrowserSessions } from '../../session/browser-sessions.ts'
import type { SessionDoubts } from '../../session/doubt.ts'
import type { PageFacts } from '../../session/view-in-page.ts'
import type { LinkSource } from '../scope/bucket.ts'
import type { Scope } from '../scope/scope.ts'
import type { UrlRules } from '../scope/url-rules.ts'

/** Result of a visit. `keepTab`: the tab can be reused for the next URL. */
export type VisitResult = {
  outcome: PageOutcome
  links: DocumentFacts['links']
  keepTab: boolean
  /** The page, if it does not tell whether the session lives: it looks like no page of the site. */
  doubtfulPage?: PageFacts
  /** Retry-After of the server in milliseconds. */
  retryAfterMs?: number | null
  /** Banners that the visit tested as they arrived. */
  states?: readonly StateOutcome[]
  /** Beginning of the normalized text of the main document. */
  pageText?: string
  /** The page as the source of its links; omitted if it was not read. */
  source?: LinkSource
}

/** Result of the preparations of a page, for its outcome. */
export type PagePreparation = {
  notices: PageNotice[]
  /** English, one line each: the banners and what was clicked. */
  details: string[]
  /** Those of a wall in front of the page. */
  wallDetails: string[]
  states: StateOutcome[]
}
export const createPreparation = (): PagePreparation => ({ notices: [], details: [], wallDetails: [], states: [] })

/** A settings fault that prevents all visits. */
export type SettingsFault = {
  reason: Extract<FailureReason, 'invalid-header' | 'rules-not-found' | 'server-not-updated'>
  detail: string
}

export type VisitDeps = {
  plan: ScanPlan
  guard: Guard
  /** axe-core and our page API. */
  script: string
  axe: AxeOptions
  pictureCache: PictureCache | null
  contentBytes: number
  /** The scan's headers, whose values are redacted from stored content. */
  headerSecrets: Secrets
  notices: readonly PageNotice[]
  /** Requests without a browser. */
  plainRequest: { fetchText: FetchText; userAgent: string }
  scope: Scope
  /** Pages of their own, whatever canonical URL or content they have. */
  separatePages: UrlRules
  /** Links that may sign out or change something. */
  acting: ActingRule
  fault: SettingsFault | null
  /** False for a preview: pages are opened for their links only. */
  analyze: boolean
  /** Sign of a page that is signed in or out. */
  mark: SignInMark | null
  /** The proof of the scan's sign-in. */
  signIn: Pick<BrowserSessions, 'getProof' | 'noteProved'>
  pdf: VisitPdf
  reuse: Reuse
  banners: BannerLog
  /** Pages to drive. */
  drive: DriveLog
  driveTabs: DriveTabs
  walls: WallLog
  doubts: SessionDoubts
  /** Pages of this run that gave themselves the address of another page: key by key. */
  scriptMoves: Map<string, string>
}

/** Completes a visit whose response is a PDF; null for other types. */
export type VisitPdf = (context: VisitContext, arrival: Arrival) => Promise<VisitResult | null>

/** One visit in progress. */
export type VisitContext = {
  deps: VisitDeps
  tab: Tab
  claim: Claim
  key: string
  startedAt: number
  deadlineAt: number
  /** Aborts when the outcome is no longer needed. */
  signal?: AbortSignal
  /** Reports whether the visit is idle, so that another may start. */
  idle?: Slot['setIdle']
  /** True if the page has its own URL, which the next run can visit again. */
  isReusable?: boolean
  /** Filled while the page is prepared. */
  preparation: PagePreparation
  /** Restores the sandbox of the page, which forbids all scripts; null if it could not be opened. */
  closeSandbox?: (() => Promise<void>) | null
  /** True if the page was proved to be shown to the signed-in user. */
  isProved?: boolean
  /** The page that was shown, if it does not tell whether the session lives. */
  doubtfulPage?: PageFacts
  /** True if the visit may change something on the site: nothing is requested twice. */
  isOnce?: boolean
  /** True if a script with secrets produced the page. */
  hasTypedSecrets?: boolean
}

export type ArrivedDocument = Extract<Arrival, { kind: 'document' }>

/** Facts about a response that is not analyzed. */
export type ResponseFacts = { url: string; status: number | null; mimeType: string | null; keepTab?: boolean }

/** Whole milliseconds since the visit started. */
export const getElapsedMs = (context: VisitContext): number => Math.round(performance.now() - context.startedAt)
/** Remaining time of the visit, at most `maxMs`. */
export const getRemainingMs = (context: VisitContext, maxMs: number): number =>
  Math.min(maxMs, context.deadlineAt - performance.now())

/** Above these sizes, a timeout is attributed to the page's size. */
const largeDocument = { bytes: 2 * 1024 * 1024, elements: 20_000 }

/**
 * Explains a timeout: `defaultDetail`, unless the page is large and this is its last attempt. Before that, other load
 * on the machine may have been the cause.
 */
export function explainTimeout({ tab, claim }: VisitContext, defaultDetail: string): [FailureReason, string] {
  const { bytes, elements } = tab.received
  const isFinalAttempt = isLastAttempt(claim, retryPolicies['timeout-command'].attempts)
  return isFinalAttempt && (bytes > largeDocument.bytes || elements > largeDocument.elements)
    ? ['too-large', `A document of ${bytes} bytes and ${elements} elements so far did not answer in time`]
    : ['timeout-command', defaultDetail]
}

/** Ends a visit as failed. */
export function failVisit(
  context: VisitContext,
  reason: FailureReason,
  detail: string,
  failOptions: { document?: ArrivedDocument; status?: number | null; keepTab?: boolean } = {},
): VisitResult {
  const { document: arrivedDocument, keepTab: canKeepTab = true } = failOptions
  const responseStatus = arrivedDocument?.status ?? failOptions.status
  return {
    outcome: {
      kind: 'failed',
      reason,
      detail,
      durationMs: getElapsedMs(context),
      ...(arrivedDocument ? { finalUrl: arrivedDocument.url, mimeType: arrivedDocument.mimeType } : {}),
      ...(responseStatus === undefined ? {} : { httpStatus: responseStatus }),
    },
    links: [],
    keepTab: canKeepTab,
  }
}

/** Ends a visit as excluded; its links may still be followed. */
export function excludeVisit(
  context: VisitContext,
  reason: ExclusionReason,
  detail: string,
  excludeOptions: ResponseFacts & { leadsTo?: string; links?: DocumentFacts['links']; source?: LinkSource },
): VisitResult {
  return {
    outcome: {
      kind: 'excluded',
      reason,
      detail,
      durationMs: getElapsedMs(context),
      finalUrl: excludeOptions.url,
      httpStatus: excludeOptions.status,
      mimeType: excludeOptions.mimeType,
      ...(excludeOptions.leadsTo === undefined ? {} : { leadsTo: excludeOptions.leadsTo }),
    },
    links: excludeOptions.links ?? [],
    ...(excludeOptions.source ? { source: excludeOptions.source } : {}),
    keepTab: excludeOptions.keepTab ?? true,
  }
}
