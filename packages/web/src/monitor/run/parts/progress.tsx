import { Plural, useLingui } from '@lingui/react/macro'
import type { RunSummary } from '@clearway/contract/monitor/run/schema.ts'
import type * as z from 'zod/mini'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'

type Run = Pick<z.output<typeof RunSummary>, 'pages' | 'startedAt'>
/** Fewer pages than this say nothing about the rest. */
const enoughPages = 5

/** Pages that are through with, tested or failed. URLs that are left alone, such as those of other sites, are none. */
const pagesDone = ({ pages }: Pick<Run, 'pages'>): number => pages.completed + pages.failed
/** As far as is known by now: links of pages to come may lead to more. */
export const pagesAbout = (run: Pick<Run, 'pages'>): number => pagesDone(run) + run.pages.notReached

/** How long a run will take from now on at its pace so far, ms; null when that is not known. */
function timeLeft(run: Run, now = Date.now()): number | null {
  const done = pagesDone(run)
  if (!run.startedAt || done < enoughPages || run.pages.notReached === 0) return null
  return ((now - Date.parse(run.startedAt)) / done) * run.pages.notReached
}

/** A bar and its words: pages so far of about how many, and the time left. */
export function RunProgress({ run, label }: { run: Run; label: string }) {
  const { t } = useLingui()
  const { formatNumber: number, formatDuration: duration } = useFormats()
  const done = number(pagesDone(run))
  const left = timeLeft(run)
  const time = left === null ? null : duration(Math.ceil(left / 1000) * 1000)
  return (
    <span className={layout.row}>
      <progress aria-label={label} value={pagesDone(run)} max={Math.max(1, pagesAbout(run))} />
      <span className={layout.num}>
        {pagesAbout(run) === 0 ? (
          t`No page reached yet`
        ) : (
          <Plural
            value={pagesAbout(run)}
            one={`${done} of about # page`}
            other={`${done} of about # pages`}
          />
        )}
      </span>
      {time && <span className={layout.muted}>{t`${time} left`}</span>}
    </span>
  )
}
