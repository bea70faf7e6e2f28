import type { ExclusionReason, FailureReason, PageNotice } from '@clearway/contract/monitor/page/schema.ts'
import type { SignInMark } from '@clearway/contract/monitor/session/schema.ts'
import type { PictureCache } from '../../axe/pictures.ts'
import type { DocumentFacts } from '../../axe/report-in-page.ts'
import type { AxeOptions } from '../../axe/version.ts'
import type { Guard } from '../../guard/guard.ts'
import type { Slot } from '../../browser/slots.ts'
import type { Tab } from '../../browser/tab.ts'
import { isLastAttempt, retryPolicies } from '../../failure.ts'
import type { Claim } from '../../frontier.ts'
import type { PageOutcome } from '../../outcome.ts'
import type { Secrets } from '../../script/secret.ts'
import type { ScanPlan } from '../../settings.ts'
import type { Arrival } from './arrive.ts'
import type { Scope } from '../scope/scope.ts'

/** What a visit came to. `keepTab`: whether the tab can be trusted with the next URL. */
export type Visit = {
  outcome: PageOutcome
  links: DocumentFacts['links']
  keepTab: boolean
  /** What the server asks for before another try, in milliseconds. */
  retryAfterMs?: number | null
}

/** A setting that no page can be visited with. */
export type SettingsFault = {
  reason: Extract<FailureReason, 'invalid-header' | 'rules-not-found' | 'server-not-updated'>
  detail: string
}

export type VisitDeps = {
  plan: ScanPlan
  guard: Guard
  /** axe and our page API. */ script: string
  axe: AxeOptions
  pictureCache: PictureCache | null
  contentBytes: number
  /** The headers of the scan, whose values are kept out of what is stored of a page. */
  headerSecrets: Secrets
  notices: readonly PageNotice[]
  scope: Scope
  fault: SettingsFault | null
  /** False for a preview: pages are opened for their links only. */
  analyze: boolean
  /** By what a page is seen signed in. */
  mark: SignInMark | null
  pdf: PdfVisit
  /** How unchanged pages are recognised; null where all are analysed. */
  reuse: Reuse | null
}

/**
 * `audited`: whether any unchanged page of this run was analysed in this process. `auditShare`: of one. `holds`: whether the last page
 * that was compared had not changed.
 */
export type Reuse = { conditions: string; auditShare: number; audited: boolean; holds: boolean }

/** Whether a page is likely to be what it was in the run before: but for a share, such a page is not analysed. */
export const isLikelySame = ({ reuse }: Pick<VisitDeps, 'reuse'>, { knownPrint }: Claim): boolean =>
  knownPrint != null && reuse?.holds === true

/** Ends a visit whose answer is a PDF; null when it is none. */
export type PdfVisit = (context: VisitContext, arrival: Arrival) => Promise<Visit | null>

/** One visit under way. */
export type VisitContext = {
  deps: VisitDeps
  tab: Tab
  claim: Claim
  key: string
  began: number
  end: number
  /** Aborts when nobody wants the outcome any more. */
  signal?: AbortSignal
  /** Says whether the visit only waits, so that another may begin. */
  idle?: Slot['setIdle']
  /** Whether the page is a URL of its own, which the next run can meet again. */
  reusable?: boolean
  /** Whether a script that was given secrets made the page what it is. */
  typed?: boolean
}

export type Document = Extract<Arrival, { kind: 'document' }>

/** What is known of an answer that is not analysed. */
export type Answered = { url: string; status: number | null; mimeType: string | null; keepTab?: boolean }

/** Whole milliseconds since the visit began. */
export const since = (context: VisitContext): number => Math.round(performance.now() - context.began)
/** What is left of the visit's time, `most` at the most. */
export const left = (context: VisitContext, most: number): number =>
  Math.min(most, context.end - performance.now())

/** Above these it is its size that keeps a page from answering in time: few people would call it one page. */
const large = { bytes: 2 * 1024 * 1024, elements: 20_000 }

/**
 * Why a page did not answer in time: `otherwise`, unless it is large and this is its last try. Until then, other work on the machine
 * may have been the reason.
 */
export function whyLate({ tab, claim }: VisitContext, otherwise: string): [FailureReason, string] {
  const { bytes, elements } = tab.received
  const isLast = isLastAttempt(claim, retryPolicies['timeout-command'].attempts)
  return isLast && (bytes > large.bytes || elements > large.elements)
    ? ['too-large', `A document of ${bytes} bytes and ${elements} elements so far did not answer in time`]
    : ['timeout-command', otherwise]
}

/** Ends a visit as failed. */
export function fail(
  context: VisitContext,
  reason: FailureReason,
  detail: string,
  rest: { document?: Document; status?: number | null; keepTab?: boolean } = {},
): Visit {
  const { document, keepTab = true } = rest
  const httpStatus = document?.status ?? rest.status
  return {
    outcome: {
      kind: 'failed',
      reason,
      detail,
      durationMs: since(context),
      ...(document ? { finalUrl: document.url, mimeType: document.mimeType } : {}),
      ...(httpStatus === undefined ? {} : { httpStatus }),
    },
    links: [],
    keepTab,
  }
}

/** Ends a visit as excluded; its links may still be followed. */
export function exclude(
  context: VisitContext,
  reason: ExclusionReason,
  detail: string,
  rest: Answered & { leadsTo?: string; links?: DocumentFacts['links'] },
): Visit {
  return {
    outcome: {
      kind: 'excluded',
      reason,
      detail,
      durationMs: since(context),
      finalUrl: rest.url,
      httpStatus: rest.status,
      mimeType: rest.mimeType,
      ...(rest.leadsTo === undefined ? {} : { leadsTo: rest.leadsTo }),
    },
    links: rest.links ?? [],
    keepTab: rest.keepTab ?? true,
  }
}
