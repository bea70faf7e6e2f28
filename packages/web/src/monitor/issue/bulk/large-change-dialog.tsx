import { Plural, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { Dialog, DialogActions } from '../../../kit/dialog/dialog.tsx'
import layout from '../../../kit/page/layout.module.css'
import { useFormats } from '../../../kit/text/format.ts'
import type { BatchedResult } from '../model-batches.ts'

/** Number and scans of the selected issues, and the position that halves them. */
export type SelectionFacts = { count: number; scans: number; scanNames: readonly string[]; middle: string | null }
export type BatchControls = { middle: string | null; signal: AbortSignal; onProgress: (doneCount: number) => void }

type LargeChangeDialogProps = {
  isDeletion: boolean
  /** Undefined while they load. */
  facts: SelectionFacts | undefined
  /** Makes the change in batches. */
  onRun: (controls: BatchControls) => Promise<BatchedResult>
  onEnd: (result: BatchedResult) => void
  onClose: () => void
}

/** Confirms a change of many issues by their number and scans, then shows its progress. It can be stopped between batches. */
export function LargeChangeDialog({ isDeletion, facts, onRun, onEnd, onClose }: LargeChangeDialogProps) {
  const { t } = useLingui()
  const [progress, setProgress] = useState<{ doneCount: number; totalCount: number } | null>(null)
  const abortRef = useRef<AbortController | null>(null)
  // Without the dialog, the change could no longer be seen or stopped.
  useEffect(() => () => abortRef.current?.abort(), [])
  const start = async ({ count: totalCount, middle }: SelectionFacts) => {
    const abortController = (abortRef.current = new AbortController())
    const showProgress = (doneCount: number) => setProgress({ doneCount, totalCount })
    showProgress(0)
    onEnd(await onRun({ middle, signal: abortController.signal, onProgress: showProgress }))
  }
  const title = isDeletion ? t`Delete many issues` : t`Change many issues`
  if (progress)
    return (
      <Dialog alert title={title} onClose={() => abortRef.current?.abort()}>
        <ChangeProgress {...progress} onStop={() => abortRef.current?.abort()} />
      </Dialog>
    )
  return (
    <Dialog alert title={title} onClose={onClose}>
      <div role="status" className={layout.tight}>
        {facts ? <ChangeFacts facts={facts} isDeletion={isDeletion} /> : <p>{t`Counting the selected issues…`}</p>}
      </div>
      <DialogActions>
        <Button autoFocus onPress={onClose}>{t`Cancel`}</Button>
        <Button kind={isDeletion ? 'danger' : 'primary'} pending={!facts} onPress={() => facts && void start(facts)}>
          {isDeletion ? t`Delete issues` : t`Change issues`}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function ChangeFacts({ facts, isDeletion }: { facts: SelectionFacts; isDeletion: boolean }) {
  const { t } = useLingui()
  const { formatList } = useFormats()
  const { count, scans: scanCount, scanNames } = facts
  const unnamedCount = scanCount - scanNames.length
  return (
    <>
      <p>
        {isDeletion ? (
          <Plural
            value={count}
            one="This deletes # issue from all runs, with its comments. If it is found again, it counts as new."
            other="This deletes # issues from all runs, with their comments. If they are found again, they count as new."
          />
        ) : (
          <Plural value={count} one="This changes # issue." other="This changes # issues." />
        )}
      </p>
      <p>
        <Plural value={scanCount} one="Its scan:" other="From # scans:" />{' '}
        <strong className={layout.break}>{formatList(scanNames)}</strong>
        {unnamedCount > 0 && (
          <>
            {' '}
            <Plural value={unnamedCount} one="and # more" other="and # more" />
          </>
        )}
      </p>
      <p>{isDeletion ? t`It cannot be undone.` : t`You can undo it for 24 hours, under “Undo bulk changes”.`}</p>
    </>
  )
}

type ChangeProgressProps = { doneCount: number; totalCount: number; onStop: () => void }

function ChangeProgress({ doneCount, totalCount, onStop }: ChangeProgressProps) {
  const { t } = useLingui()
  const [isStopping, setIsStopping] = useState(false)
  const stopRef = useRef<HTMLDivElement>(null)
  // The pressed button is gone; without focus inside, the dialog would not receive keys.
  useEffect(() => stopRef.current?.querySelector('button')?.focus(), [])
  return (
    <>
      <IssueProgress label={t`Changed issues`} doneCount={doneCount} totalCount={totalCount} />
      <div ref={stopRef}>
        <DialogActions>
          <Button
            pending={isStopping}
            onPress={() => {
              setIsStopping(true)
              onStop()
            }}
          >
            {t`Stop`}
          </Button>
        </DialogActions>
      </div>
    </>
  )
}

/** Progress bar with the number of finished issues. */
export function IssueProgress({ label, doneCount, totalCount }: { label: string; doneCount: number; totalCount: number }) {
  const { formatNumber } = useFormats()
  const formattedDone = formatNumber(Math.min(doneCount, totalCount))
  return (
    <p className={layout.row}>
      <progress aria-label={label} value={Math.min(doneCount, totalCount)} max={Math.max(1, totalCount)} />
      <span role="status" className={layout.num}>
        <Plural value={totalCount} one={`${formattedDone} of # issue`} other={`${formattedDone} of # issues`} />
      </span>
    </p>
  )
}
