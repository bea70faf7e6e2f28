import { Plural, useLingui } from '@lingui/react/macro'
import { isActiveStatus, type RunSummary } from '@clearway/contract/monitor/run/schema.ts'
import { type ReactNode, useState } from 'react'
import type * as z from 'zod/mini'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'

type ProgressRun = Pick<z.output<typeof RunSummary>, 'pages' | 'startedAt'>
/** Minimum number of pages for an estimate, and for results of a run in progress if there are more. */
const minEstimatePages = 5

/** Returns the number of pages that were tested or failed. Skipped URLs, such as those of other sites, do not count. */
const countFinishedPages = ({ pages }: Pick<ProgressRun, 'pages'>): number => pages.completed + pages.failed
/** Returns the currently known number of pages. Links on remaining pages may add more. */
export const countKnownPages = (run: Pick<ProgressRun, 'pages'>): number => countFinishedPages(run) + run.pages.notReached

type StartedRun = Pick<ProgressRun, 'pages'> & Pick<RunSummary, 'status'>

/** Returns true for an active run with results of less than a tenth of its pages: they say little about the site. */
export function isTooEarly(run: StartedRun): boolean {
  const knownCount = countKnownPages(run)
  return isActiveStatus(run.status) && countFinishedPages(run) < Math.max(knownCount / 10, Math.min(minEstimatePages, knownCount))
}

/** The same, but never again once there were enough: links on further pages add to the known ones. One component per run. */
export function useIsTooEarly(run: StartedRun | undefined): boolean {
  const [hadEnough, setHadEnough] = useState(false)
  const isEarly = run !== undefined && isTooEarly(run)
  // At first, only the start page is known.
  if (run !== undefined && !isEarly && !hadEnough && countFinishedPages(run) >= minEstimatePages) setHadEnough(true)
  return isEarly && !hadEnough
}

/** Estimates the remaining time in milliseconds from the pace so far; null if unknown. */
function estimateRemainingMs(run: ProgressRun, nowMs = Date.now()): number | null {
  const finishedCount = countFinishedPages(run)
  if (!run.startedAt || finishedCount < minEstimatePages || run.pages.notReached === 0) return null
  return ((nowMs - Date.parse(run.startedAt)) / finishedCount) * run.pages.notReached
}

type RunProgressProps = { run: ProgressRun; label: string; children?: ReactNode }

/** Progress bar with the finished pages, the estimated total, `children` and the remaining time. */
export function RunProgress({ run, label, children }: RunProgressProps) {
  const { t } = useLingui()
  const { formatNumber, formatDuration } = useFormats()
  const formattedFinished = formatNumber(countFinishedPages(run))
  const remainingMs = estimateRemainingMs(run)
  const formattedRemaining = remainingMs === null ? null : formatDuration(Math.ceil(remainingMs / 1000) * 1000)
  return (
    <span className={layout.row}>
      <progress aria-label={label} value={countFinishedPages(run)} max={Math.max(1, countKnownPages(run))} />
      <span className={layout.num}>
        {countKnownPages(run) === 0 ? (
          t`No page reached yet`
        ) : (
          <Plural
            value={countKnownPages(run)}
            one={`${formattedFinished} of about # page done`}
            other={`${formattedFinished} of about # pages done`}
          />
        )}
      </span>
      {children}
      {formattedRemaining && <span className={layout.muted}>{t`${formattedRemaining} left`}</span>}
    </span>
  )
}
