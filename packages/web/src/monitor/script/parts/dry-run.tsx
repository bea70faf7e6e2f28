import { Plural, useLingui } from '@lingui/react/macro'
import { monitorApi } from '@clearway/contract/monitor/api.ts'
import type { DryRunBody, DryRunEvent, DryRunStep } from '@clearway/contract/monitor/run/preview/schema.ts'
import { useEffect, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import { Button } from '../../../kit/control/button.tsx'
import { buildUrl } from '../../../kit/client/client.ts'
import { streamEvents } from '../../../kit/client/event-stream.ts'
import { useFormats } from '../../../kit/text/format.ts'
import { Icon } from '../../../kit/control/icon.tsx'
import layout from '../../../kit/page/layout.module.css'
import { ErrorCard, Notice } from '../../../kit/page/states.tsx'
import { failureTexts } from '../../page/parts/failure-text.ts'
import { useSession } from '../../user/model.ts'
import styles from './dry-run.module.css'
import { ScriptErrors } from './errors.tsx'

type Step = z.output<typeof DryRunStep>
type End = Extract<z.output<typeof DryRunEvent>, { type: 'end' }>
type DryRunState = { working: boolean; steps: readonly Step[]; end: End | null; failure: unknown }
const notStarted: DryRunState = { working: false, steps: [], end: null, failure: null }

/** Runs a script as it is now, one step after the other; stops when the screen is left. */
function useDryRun() {
  const { deps } = useSession()
  const [dryRun, setDryRun] = useState(notStarted)
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])
  const start = async (body: z.input<typeof DryRunBody>) => {
    running.current?.abort()
    const stop = new AbortController()
    running.current = stop
    setDryRun({ ...notStarted, working: true })
    try {
      const url = buildUrl(monitorApi.dryRunScript, {})
      for await (const event of streamEvents<z.output<typeof DryRunEvent>>(deps, url, stop.signal, body))
        setDryRun((before) =>
          event.type === 'step'
            ? { ...before, steps: [...before.steps, event.step] }
            : { ...before, working: false, end: event },
        )
    } catch (failure) {
      if (!stop.signal.aborted) setDryRun((before) => ({ ...before, failure }))
    }
    if (running.current === stop) setDryRun((before) => ({ ...before, working: false }))
  }
  return { dryRun, start, stop: () => running.current?.abort() }
}

type Props = {
  /** What is tried; null while there is nothing to try. */
  body: () => z.input<typeof DryRunBody> | null
}

/** Tries a script and shows each step with a picture of what the browser saw. */
export function DryRun({ body }: Props) {
  const { t } = useLingui()
  const { dryRun, start, stop } = useDryRun()
  const begin = () => {
    const what = body()
    if (what) void start(what)
  }
  return (
    <div className={layout.tight}>
      <div className={layout.row}>
        <Button icon="play" pending={dryRun.working} onPress={begin}>{t`Dry run`}</Button>
        {dryRun.working && <Button icon="stop" onPress={stop}>{t`Stop`}</Button>}
      </div>
      <p role="status" className={layout.muted}>
        {dryRun.working && (
          <Plural
            value={dryRun.steps.length}
            one="Dry run in progress: # step so far."
            other="Dry run in progress: # steps so far."
          />
        )}
        {dryRun.end?.end === 'done' ? t`Script passed.` : ''}
      </p>
      {dryRun.failure !== null && (
        <ErrorCard title={t`The dry run could not be started.`} error={dryRun.failure} onRetry={begin} />
      )}
      {dryRun.end && dryRun.end.end !== 'done' && <Ended end={dryRun.end} />}
      <ol className={styles.steps}>
        {dryRun.steps.map((step, i) => (
          <li key={i}>
            <StepRow step={step} />
          </li>
        ))}
      </ol>
    </div>
  )
}

function Ended({ end }: { end: End }) {
  const { t } = useLingui()
  return (
    <Notice kind="error" title={t`Script failed`}>
      {end.reason && <p>{t(failureTexts[end.reason].what)}</p>}
      {end.detail && (
        <p lang="en" className={layout.break}>
          {end.detail}
        </p>
      )}
      <ScriptErrors errors={end.errors} />
    </Notice>
  )
}

function StepRow({ step }: { step: Step }) {
  const { t } = useLingui()
  const { formatDuration: duration } = useFormats()
  const { page, number, text, ok, found, durationMs, screenshot } = step
  const words = number === 0 ? t`Open the page` : text
  return (
    <div className={styles.step}>
      <p className={ok ? layout.good : layout.bad}>
        <Icon name={ok ? 'check' : 'warning'} /> {ok ? t`Done` : t`Failed`}
      </p>
      <div className={layout.tight}>
        <p className={layout.break}>
          <span className={layout.strong} translate="no">
            {words}
          </span>{' '}
          <span className={`${layout.muted} ${layout.sm}`}>
            {page}, {duration(durationMs)}
          </span>
        </p>
        <p lang="en" className={`${layout.sm} ${layout.break}`}>
          {found}
        </p>
        {screenshot && (
          <details>
            <summary>{t`What the browser saw`}</summary>
            <img
              className={styles.picture}
              src={`data:image/jpeg;base64,${screenshot}`}
              alt={t`The page after: ${words}`}
            />
          </details>
        )}
      </div>
    </div>
  )
}
