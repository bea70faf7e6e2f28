import { Plural, useLingui } from '@lingui/react/macro'
import type { ScoreTarget } from '@clearway/contract/monitor/scan/goal/schema.ts'
import { useState } from 'react'
import layout from '../../../kit/page/layout.module.css'
import { useFormats } from '../../../kit/text/format.ts'
import { getTargetState, toLocalDay } from '../model-goal.ts'

type TargetTextProps = {
  target: ScoreTarget
  points: number | null
  /** Omits the word that a heading already says. */
  isUnderHeading?: boolean
}

/** Target with what is missing, for example "Target: 90 by Jun 30. 8 points to go." */
export function TargetText({ target, points, isUnderHeading = false }: TargetTextProps) {
  const { t } = useLingui()
  const { formatDay } = useFormats()
  const [today] = useState(() => toLocalDay(Date.now()))
  const { score: targetScore, dueOn } = target
  const dueDay = formatDay(dueOn)
  const missingPoints = targetScore - (points ?? 0)
  const state = getTargetState(target, points, today)
  return (
    <p>
      <span className={layout.strong}>
        {isUnderHeading ? t`${targetScore} by ${dueDay}.` : t`Target: ${targetScore} by ${dueDay}.`}
      </span>{' '}
      {state === 'reached' ? (
        <span className={layout.good}>{t`Reached.`}</span>
      ) : (
        <>
          {points !== null && <Plural value={missingPoints} one="# point to go." other="# points to go." />}{' '}
          {state === 'overdue' && <span className={layout.bad}>{t`Overdue.`}</span>}
        </>
      )}
    </p>
  )
}
