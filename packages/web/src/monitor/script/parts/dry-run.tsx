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
import { failureTexts } from '../../page/parts/reason-text.ts'
import { useSession } from '../../user/model.ts'
import styles from './dry-run.module.css'
import { ScriptErrors } from './errors.tsx'

type DryRunStepResult = z.output<typeof DryRunStep>
type DryRunEnd = Extract<z.output<typeof DryRunEvent>, { type: 'end' }>
type DryRunState = { isWorking: boolean; steps: readonly DryRunStepResult[]; end: DryRunEnd | null; failure: unknown }
const initialDryRun: DryRunState = { isWorking: false, steps: [], end: null, failure: null }

/** Runs the current script step by step. Stops when the user leaves the screen. */
function useDryRun() {
  const { deps } = useSession()
  const [dryRunState, setDryRunState] = useState(initialDryRun)
  const runningDryRun = useRef<AbortController>(null)
  useEffect(() => () => runningDryRun.current?.abort(), [])
  const startDryRun = async (body: z.input<typeof DryRunBody>) => {
    runningDryRun.current?.abort()
    const abortController = new AbortController()
    runningDryRun.current = abortController
    setDryRunState({ ...initialDryRun, isWorking: true })
    try {
      const dryRunUrl = buildUrl(monitorApi.dryRunScript, {})
      for await (const event of streamEvents<z.output<typeof DryRunEvent>>(deps, dryRunUrl, abortController.signal, body))
        setDryRunState((previous) =>
          event.type === 'step'
            ? { ...previous, steps: [...previous.steps, event.step] }
            : { ...previous, isWorking: false, end: event },
        )
    } catch (dryRunFailure) {
      if (!abortController.signal.aborted) setDryRunState((previous) => ({ ...previous, failure: dryRunFailure }))
    }
    if (runningDryRun.current === abortController) setDryRunState((previous) => ({ ...previous, isWorking: false }))
  }
  return { dryRun: dryRunState, start: startDryRun, stop: () => runningDryRun.current?.abort() }
}

type DryRunProps = {
  /** Returns the script to run; null if there is none. */
  getRequestBody: () => z.input<typeof DryRunBody> | null
}

export function DryRun({ getRequestBody }: DryRunProps) {
  const { t } = useLingui()
  const { dryRun: dryRunState, start: startDryRun, stop: stopDryRun } = useDryRun()
  const beginDryRun = () => {
    const requestBody = getRequestBody()
    if (requestBody) void startDryRun(requestBody)
  }
  return (
    <div className={layout.tight}>
      <div className={layout.row}>
        <Button icon="play" pending={dryRunState.isWorking} onPress={beginDryRun}>{t`Dry run`}</Button>
        {dryRunState.isWorking && <Button icon="stop" onPress={stopDryRun}>{t`Stop`}</Button>}
      </div>
      <p role="status" className={layout.muted}>
        {dryRunState.isWorking && (
          <Plural
            value={dryRunState.steps.length}
            one="Dry run in progress: # step so far."
            other="Dry run in progress: # steps so far."
          />
        )}
        {dryRunState.end?.end === 'done' ? t`Script passed.` : ''}
      </p>
      {dryRunState.failure !== null && (
        <ErrorCard title={t`The dry run could not be started.`} error={dryRunState.failure} onRetry={beginDryRun} />
      )}
      {dryRunState.end && dryRunState.end.end !== 'done' && <DryRunResult end={dryRunState.end} />}
      <ol className={styles.steps}>
        {dryRunState.steps.map((step, i) => (
          <li key={i}>
            <DryRunStepRow step={step} />
          </li>
        ))}
      </ol>
    </div>
  )
}

function DryRunResult({ end }: { end: DryRunEnd }) {
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

function DryRunStepRow({ step }: { step: DryRunStepResult }) {
  const { t } = useLingui()
  const { formatDuration } = useFormats()
  const {
    page: pageName,
    number: stepNumber,
    text: stepText,
    ok: isSuccessful,
    found: stepFindings,
    durationMs,
    screenshot: stepScreenshot,
  } = step
  const stepLabel = stepNumber === 0 ? t`Open the page` : stepText
  return (
    <div className={styles.step}>
      <p className={isSuccessful ? layout.good : layout.bad}>
        <Icon name={isSuccessful ? 'check' : 'warning'} /> {isSuccessful ? t`Done` : t`Failed`}
      </p>
      <div className={layout.tight}>
        <p className={layout.break}>
          <span className={layout.strong} translate="no">
            {stepLabel}
          </span>{' '}
          <span className={`${layout.muted} ${layout.sm}`}>
            {pageName}, {formatDuration(durationMs)}
          </span>
        </p>
        <p lang="en" className={`${layout.sm} ${layout.break}`}>
          {stepFindings}
        </p>
        {stepScreenshot && (
          <details>
            <summary>{t`What the browser saw`}</summary>
            <img
              className={styles.picture}
              src={`data:image/jpeg;base64,${stepScreenshot}`}
              alt={t`The page after: ${stepLabel}`}
            />
          </details>
        )}
      </div>
    </div>
  )
}
