import { Plural } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { ScanSummary } from '@clearway/contract/monitor/scan/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import layout from '../../../kit/page/layout.module.css'
import { Count } from '../../../kit/text/count.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { scanQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { isTooEarly } from '../model-progress.ts'
import { ruleGainsQuery } from '../queries.ts'
import { formatGain } from './gain.ts'

/** Returns true for a run with results of enough pages. The run that follows the last known one has only begun. */
function hasResults({ lastRun }: ScanSummary, runNumber: number): boolean {
  if (lastRun === null || runNumber > lastRun.number) return false
  return runNumber < lastRun.number || !isTooEarly(lastRun)
}

type GainSource = { scanIds: readonly ScanId[]; run: number | undefined; isEnabled: boolean }

/**
 * Score that fixing each rule adds to a run, by default to the last one with a score. Undefined until it is known, for a run
 * with results of too few pages, and for several scans, which have no common score.
 */
export function useScoreGains({ scanIds, run, isEnabled }: GainSource): ReadonlyMap<string, number> | undefined {
  const { api: apiClient } = useSession()
  const scanId = scanIds[0]!
  const isSingleScan = isEnabled && scanIds.length === 1
  const scan = useQuery({ ...scanQuery(apiClient, scanId), enabled: isSingleScan }).data
  const runNumber = run ?? scan?.recentScores.findLast(({ score }) => score !== null)?.number
  const isKnown = isSingleScan && scan !== undefined && runNumber !== undefined && hasResults(scan, runNumber)
  const rules = useQuery({ ...ruleGainsQuery(apiClient, { scanId, run: runNumber! }), enabled: isKnown }).data
  return useMemo(
    () => (isKnown && rules ? new Map(rules.content.map(({ rule, scoreGain }) => [rule, scoreGain])) : undefined),
    [isKnown, rules],
  )
}

export function RuleGain({ scoreGain }: { scoreGain: number }) {
  const { formatNumber } = useFormats()
  return scoreGain === 0 ? <Count value={0} /> : <span className={layout.good}>{formatGain(scoreGain, formatNumber)}</span>
}

type RuleGainLineProps = { scanId: ScanId; run: number; rule: string }

/** Points that fixing the rule of an issue adds to the score; nothing for less than half a point. */
export function RuleGainLine({ scanId, run, rule }: RuleGainLineProps) {
  const scoreGain = useScoreGains({ scanIds: [scanId], run, isEnabled: true })?.get(rule) ?? 0
  const gainedPoints = Math.round(scoreGain * 100)
  return (
    gainedPoints > 0 && (
      <span className={layout.good}>
        <Plural value={gainedPoints} one="Fixing this rule: +# point" other="Fixing this rule: +# points" />
      </span>
    )
  )
}
