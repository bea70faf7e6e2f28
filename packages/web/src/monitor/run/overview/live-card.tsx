import { Plural, useLingui } from '@lingui/react/macro'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { focusTitle } from '../../../kit/page/focus-title.ts'
import layout from '../../../kit/page/layout.module.css'
import type { Overview } from '../queries.ts'
import { pagesAbout, RunProgress } from '../parts/progress.tsx'
import { RunState } from '../parts/state.tsx'

/** How often the numbers are read out while a run goes on, ms: often enough to follow, seldom enough to work beside it. */
const saidEveryMs = 30_000

type Props = { run: Overview; paused: boolean; onPause: (paused: boolean) => void }

/** The run while it goes on. */
export function LiveCard({ run, paused, onPause }: Props) {
  const { t } = useLingui()
  const { number } = run
  const card = useRef<HTMLElement>(null)
  // It goes away when the run ends, with what has the focus in it.
  useLayoutEffect(() => {
    const shown = card.current
    return () => {
      if (shown?.contains(document.activeElement)) focusTitle({ preventScroll: true })
    }
  }, [])
  return (
    <section ref={card} className={`${layout.card} ${layout.pad}`} aria-labelledby="live">
      <div className={layout.row}>
        <h2 id="live">{t`Run ${number}`}</h2>
        <RunState run={run} />
        <RunProgress run={run} label={t`Run ${number}, pages checked`} />
        <span className={layout.end}>
          <Button small icon={paused ? 'play' : 'pause'} onPress={() => onPause(!paused)}>
            {paused ? t`Resume live updates` : t`Pause live updates`}
          </Button>
        </span>
      </div>
      <p role="status" className={layout.hidden}>
        {paused ? t`Live updates are paused.` : <Said run={run} />}
      </p>
      {paused && (
        <p className={layout.muted}>{t`The numbers on this page do not change until you resume.`}</p>
      )}
    </section>
  )
}

/** The numbers as they were when they were last read out. */
function Said({ run }: { run: Overview }) {
  const { t } = useLingui()
  const { formatNumber: number } = useFormats()
  const [said, setSaid] = useState(run)
  const [due, setDue] = useState(false)
  useEffect(() => {
    const timer = setInterval(() => setDue(true), saidEveryMs)
    return () => clearInterval(timer)
  }, [])
  if (due) {
    setDue(false)
    setSaid(run)
  }
  const { critical, serious, moderate, minor } = said.openIssues
  const found = number(pagesAbout(said))
  return (
    <>
      {t`Run ${said.number}`}:{' '}
      <Plural
        value={said.pages.completed}
        one={`# page of about ${found} tested`}
        other={`# pages of about ${found} tested`}
      />
      {', '}
      <Plural value={critical + serious + moderate + minor} one="# open issue" other="# open issues" />
    </>
  )
}
