import { Plural, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { useFocusOfCard } from '../../../kit/page/focus-title.ts'
import layout from '../../../kit/page/layout.module.css'
import type { RunOverviewData } from '../queries.ts'
import { countKnownPages } from '../model-progress.ts'
import { RunProgress } from '../parts/progress.tsx'
import { RunState } from '../parts/state.tsx'
import styles from './live-card.module.css'

/** Interval of spoken updates during a run in milliseconds: frequent enough to follow, rare enough not to interrupt. */
const announceIntervalMs = 30_000
const announcementMs = 5000

type LiveCardProps = { run: RunOverviewData; isEarly: boolean; paused: boolean; onPause: (isPaused: boolean) => void }

export function LiveCard({ run, isEarly, paused: isPaused, onPause }: LiveCardProps) {
  const { t } = useLingui()
  const { number: runNumber } = run
  const cardRef = useRef<HTMLElement>(null)
  // It disappears when the run ends.
  useFocusOfCard(cardRef)
  return (
    <section ref={cardRef} className={`${layout.card} ${layout.pad}`} aria-labelledby="live">
      <div className={layout.row}>
        <h2 id="live">{t`Run ${runNumber}`}</h2>
        <RunState run={run} />
        <span className={layout.end}>
          <Button small icon={isPaused ? 'play' : 'pause'} onPress={() => onPause(!isPaused)}>
            {isPaused ? t`Resume live updates` : t`Pause live updates`}
          </Button>
        </span>
      </div>
      <span className={styles.progress}>
        <RunProgress run={run} label={t`Run ${runNumber}, pages checked`}>
          <LiveFacts run={run} isPaused={isPaused} />
        </RunProgress>
      </span>
      {isEarly && (
        <p className={`${layout.muted} ${layout.sm}`}>{t`The score appears once about a tenth of the pages is tested.`}</p>
      )}
      <p role="status" className={layout.hidden}>
        {isPaused ? t`Live updates are paused.` : <AnnouncedCounts run={run} />}
      </p>
      {isPaused && <p className={layout.muted}>{t`The numbers on this page do not change until you resume.`}</p>}
    </section>
  )
}

/** Failed pages as soon as there are any, and the time since the start. */
function LiveFacts({ run, isPaused }: { run: RunOverviewData; isPaused: boolean }) {
  const { t } = useLingui()
  const { formatDuration } = useFormats()
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    if (isPaused) return
    const secondTimer = setInterval(() => setNowMs(Date.now()), 1000)
    return () => clearInterval(secondTimer)
  }, [isPaused])
  const elapsedSeconds = run.startedAt === null ? null : Math.max(0, Math.round((nowMs - Date.parse(run.startedAt)) / 1000))
  return (
    <>
      {run.pages.failed > 0 && (
        <span>
          <Link className={layout.bad} to="/pages" search={{ scanId: [run.scanId], run: run.number, tab: 'failed' }}>
            <Plural value={run.pages.failed} one="# failed" other="# failed" />
          </Link>
        </span>
      )}
      {elapsedSeconds !== null && (
        <span className={`${layout.muted} ${layout.num}`}>{t`Running for ${formatDuration(elapsedSeconds * 1000)}`}</span>
      )}
    </>
  )
}

/** Counts at the time of the last announcement. It is read when it appears, and gone before newer numbers contradict it. */
function AnnouncedCounts({ run }: { run: RunOverviewData }) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const [announcedRun, setAnnouncedRun] = useState<RunOverviewData | null>(run)
  const [isAnnouncementDue, setIsAnnouncementDue] = useState(false)
  const [hasPages, setHasPages] = useState(run.pages.completed > 0)
  useEffect(() => {
    const announceTimer = setInterval(() => setIsAnnouncementDue(true), announceIntervalMs)
    return () => clearInterval(announceTimer)
  }, [])
  useEffect(() => {
    if (announcedRun === null) return undefined
    const removalTimer = setTimeout(() => setAnnouncedRun(null), announcementMs)
    return () => clearTimeout(removalTimer)
  }, [announcedRun])
  // The first pages are announced at once.
  if (isAnnouncementDue || (!hasPages && run.pages.completed > 0)) {
    setIsAnnouncementDue(false)
    setHasPages(run.pages.completed > 0)
    setAnnouncedRun(run)
  }
  if (announcedRun === null) return null
  const { critical, serious, moderate, minor } = announcedRun.openIssues
  const formattedPageCount = formatNumber(countKnownPages(announcedRun))
  return (
    <>
      {t`Run ${announcedRun.number}`}:{' '}
      <Plural
        value={announcedRun.pages.completed}
        one={`# page of about ${formattedPageCount} tested`}
        other={`# pages of about ${formattedPageCount} tested`}
      />
      {', '}
      <Plural value={critical + serious + moderate + minor} one="# open issue" other="# open issues" />
    </>
  )
}
