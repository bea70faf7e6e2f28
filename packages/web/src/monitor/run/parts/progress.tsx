import { Plural, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import {
  type ProgressRun,
  type StartedRun,
  countFinishedPages,
  countKnownPages,
  isTooEarly,
  minEstimatePages,
} from '../model-progress.ts'

/** `isTooEarly`, but never again once there were enough pages: links on further pages add to the known ones. One component per run. */
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
