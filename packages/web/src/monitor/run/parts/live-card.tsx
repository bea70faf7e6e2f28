import { useLingui } from '@lingui/react/macro'
import { Button } from '../../../kit/button.tsx'
import layout from '../../../kit/layout.module.css'
import type { Overview } from '../queries.ts'
import { RunProgress } from './run-progress.tsx'
import { RunState } from './run-state.tsx'

type Props = { run: Overview; paused: boolean; onPause: (paused: boolean) => void }

/** The run while it goes on. */
export function LiveCard({ run, paused, onPause }: Props) {
  const { t } = useLingui()
  const { number } = run
  return (
    <section className={`${layout.card} ${layout.pad}`} aria-labelledby="live">
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
      {paused && <p className={layout.muted}>{t`The numbers on this page stand still until you resume.`}</p>}
    </section>
  )
}
