import { isActiveStatus, type RunSummary } from '@clearway/contract/monitor/run/schema.ts'
import type * as z from 'zod/mini'

export type ProgressRun = Pick<z.output<typeof RunSummary>, 'pages' | 'startedAt'>
/** Minimum number of pages for an estimate, and for results of a run in progress if there are more. */
export const minEstimatePages = 5

/** Returns the number of pages that were tested or failed. Skipped URLs, such as those of other sites, do not count. */
export const countFinishedPages = ({ pages }: Pick<ProgressRun, 'pages'>): number => pages.completed + pages.failed
/** Returns the currently known number of pages. Links on remaining pages may add more. */
export const countKnownPages = (run: Pick<ProgressRun, 'pages'>): number => countFinishedPages(run) + run.pages.notReached

export type StartedRun = Pick<ProgressRun, 'pages'> & Pick<RunSummary, 'status'>

/** Returns true for an active run with results of less than a tenth of its pages: they say little about the site. */
export function isTooEarly(run: StartedRun): boolean {
  const knownCount = countKnownPages(run)
  return isActiveStatus(run.status) && countFinishedPages(run) < Math.max(knownCount / 10, Math.min(minEstimatePages, knownCount))
}
