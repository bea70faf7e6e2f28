import type { ExclusionReason, FailureReason, PageNotice } from '@clearway/contract/monitor/page/schema.ts'
import type { PictureShelf } from '../axe/pictures.ts'
import type { DocumentFacts } from '../axe/report-in-page.ts'
import type { AxeOptions } from '../axe/version.ts'
import type { Guard } from '../browser/guard.ts'
import type { Tab } from '../browser/tab.ts'
import type { Claim } from '../frontier.ts'
import type { PageOutcome } from '../outcome.ts'
import type { ScanPlan } from '../settings.ts'
import type { Arrival } from './arrive.ts'

/** What a visit came to. `keepTab`: whether the tab can be trusted with the next address. */
export type Visit = { outcome: PageOutcome; links: DocumentFacts['links']; keepTab: boolean }

export type VisitDeps = {
  plan: ScanPlan
  guard: Guard
  /** axe and our kit. */ script: string
  axe: AxeOptions
  shelf: PictureShelf | null
  contentBytes: number
  notices: readonly PageNotice[]
}

/** One visit under way. */
export type Course = {
  deps: VisitDeps
  tab: Tab
  claim: Claim
  key: string
  began: number
  end: number
}

export type Document = Extract<Arrival, { kind: 'document' }>

/** What is known of an answer that is not analysed. */
export type Answered = { url: string; status: number | null; mimeType: string | null; keepTab?: boolean }

/** Whole milliseconds since the visit began. */
export const since = (course: Course): number => Math.round(performance.now() - course.began)
/** What is left of the visit's time, `most` at the most. */
export const left = (course: Course, most: number): number => Math.min(most, course.end - performance.now())

/** Ends a visit as failed. */
export function fail(
  course: Course,
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
      durationMs: since(course),
      ...(document ? { finalUrl: document.url, mimeType: document.mimeType } : {}),
      ...(httpStatus === undefined ? {} : { httpStatus }),
    },
    links: [],
    keepTab,
  }
}

/** Ends a visit as excluded. */
export function exclude(
  course: Course,
  reason: ExclusionReason,
  detail: string,
  rest: Answered & { leadsTo?: string },
): Visit {
  return {
    outcome: {
      kind: 'excluded',
      reason,
      detail,
      durationMs: since(course),
      finalUrl: rest.url,
      httpStatus: rest.status,
      mimeType: rest.mimeType,
      ...(rest.leadsTo === undefined ? {} : { leadsTo: rest.leadsTo }),
    },
    links: [],
    keepTab: rest.keepTab ?? true,
  }
}
