import { useLingui } from '@lingui/react/macro'
import type { RunSummary } from '@clearway/contract/monitor/run/schema.ts'
import layout from '../../../kit/page/layout.module.css'

/** Names the run of figures that are older than the run of the screen. */
export function SourceRun({
  run: { number: runNumber },
  isSmall = true,
}: {
  run: Pick<RunSummary, 'number'>
  isSmall?: boolean
}) {
  const { t } = useLingui()
  return <span className={`${layout.muted} ${isSmall ? layout.sm : ''}`}>{t`From run ${runNumber}`}</span>
}
