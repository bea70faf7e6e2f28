import { Plural, useLingui } from '@lingui/react/macro'
import type { ScanSummary } from '@clearway/contract/monitor/scan/schema.ts'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { Annotation, ScoreTarget } from '@clearway/contract/monitor/scan/goal/schema.ts'
import { focusTitle } from '../../../kit/page/focus-title.ts'
import { Link } from '@tanstack/react-router'
import { Suspense, lazy, useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { useShowError } from '../../../kit/dialog/use-show-error.ts'
import layout from '../../../kit/page/layout.module.css'
import { withDeferredTexts } from '../../../kit/text/deferred-texts.ts'
import { useFormats } from '../../../kit/text/format.ts'
import { useSession } from '../../user/model.ts'
import { useGoalActions } from '../queries-goal.ts'
import { TargetText } from '../parts/target-text.tsx'
import type { TrendMark } from '../model-goal.ts'
import styles from './goals.module.css'

const NoteDialog = lazy(() => withDeferredTexts(import('./goal-dialogs.tsx')).then((module) => ({ default: module.NoteDialog })))
const TargetDialog = lazy(() =>
  withDeferredTexts(import('./goal-dialogs.tsx')).then((module) => ({ default: module.TargetDialog })),
)

type TrendGoalsProps = {
  scan: Pick<ScanSummary, 'id' | 'rights'>
  target: ScoreTarget | null
  marks: readonly TrendMark[]
  /** Displayed score of the newest run; null without one. */
  points: number | null
}

export function TrendGoals({ scan, target, marks, points }: TrendGoalsProps) {
  const { t } = useLingui()
  const [openDialog, setOpenDialog] = useState<'note' | 'target' | null>(null)
  const closeDialog = () => setOpenDialog(null)
  const { manage: canManage, run: canAnnotate } = scan.rights
  if (!target && marks.length === 0 && !canAnnotate) return null
  return (
    <div className={`${styles.goals} ${layout.sm}`}>
      {(target || marks.length > 0) && (
        <div className={layout.tight}>
          {target && <TargetText target={target} points={points} />}
          {marks.length > 0 && <MarkList scan={scan} marks={marks} />}
        </div>
      )}
      {canAnnotate && (
        <div className={`${layout.row} ${styles.actions}`}>
          <Button small onPress={() => setOpenDialog('note')}>{t`Add note…`}</Button>
          {canManage && (
            <Button small onPress={() => setOpenDialog('target')}>
              {target ? t`Change target…` : t`Set target…`}
            </Button>
          )}
        </div>
      )}
      <Suspense fallback={null}>
        {openDialog === 'note' && <NoteDialog scanId={scan.id} onClose={closeDialog} />}
        {openDialog === 'target' && <TargetDialog scanId={scan.id} target={target} onClose={closeDialog} />}
      </Suspense>
    </div>
  )
}

function MarkList({ scan, marks }: Pick<TrendGoalsProps, 'scan' | 'marks'>) {
  const { t } = useLingui()
  const { formatDay } = useFormats()
  const { guestScan } = useSession()
  return (
    <ul className={styles.marks} aria-label={t`Events in the trend`}>
      {marks.map((mark) => {
        const ignoredCount = mark.kind === 'ignored' ? mark.count : 0
        return (
          <li key={mark.letter}>
            <span className={styles.letter}>{mark.letter}</span>
            <span className={layout.muted}>{mark.kind === 'note' ? formatDay(mark.day) : t`After run ${mark.runNumber}`}</span>
            <span className={layout.break}>
              {mark.kind === 'note' ? (
                mark.annotation.text
              ) : guestScan ? (
                <Plural value={ignoredCount} one="# more issue ignored" other="# more issues ignored" />
              ) : (
                <Link to="/ignored" search={{ scan: scan.id }}>
                  <Plural value={ignoredCount} one="# more issue ignored" other="# more issues ignored" />
                </Link>
              )}
              {mark.runNumber === null && <span className={layout.muted}> {t`(no run since)`}</span>}
            </span>
            {mark.kind === 'note' && scan.rights.run && <DeleteNoteButton scanId={scan.id} annotation={mark.annotation} />}
          </li>
        )
      })}
    </ul>
  )
}

function DeleteNoteButton({ scanId, annotation: { id, text } }: { scanId: ScanId; annotation: Annotation }) {
  const { t } = useLingui()
  const { removeAnnotation } = useGoalActions(scanId)
  const showError = useShowError()
  return (
    <Button
      kind="quiet"
      small
      square
      icon="close"
      label={t`Delete note: ${text}`}
      pending={removeAnnotation.isPending}
      onPress={() => {
        // The button disappears with its row.
        focusTitle({ preventScroll: true })
        removeAnnotation.mutate(id, { onError: showError })
      }}
    />
  )
}
