import { useLingui } from '@lingui/react/macro'
import type { RunSummary } from '@clearway/contract/monitor/run/schema.ts'
import { toScorePoints } from '@clearway/contract/kit/score.ts'
import layout from '../../../kit/page/layout.module.css'
import { useIsTooEarly } from './progress.tsx'

/** Score of a run in progress, once it says something about the site. One component per run. */
export function ScoreSoFar({ run }: { run: Pick<RunSummary, 'status' | 'pages' | 'score'> }) {
  const { t } = useLingui()
  const isEarly = useIsTooEarly(run)
  const points = run.score === null || isEarly ? null : toScorePoints(run.score)
  return <span className={layout.muted}>{points === null ? t`No score yet` : t`${points} so far`}</span>
}
