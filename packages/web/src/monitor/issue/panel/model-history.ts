import type { IssueMoment } from '@clearway/contract/monitor/issue/schema.ts'

/** Consecutive runs with the same result, newest first. */
export type HistoryInterval = {
  change: IssueMoment['change']
  severity: IssueMoment['severity']
  moments: readonly [IssueMoment, ...IssueMoment[]]
}

/** Folds a history, newest first, to intervals of the same result. */
export function foldHistory(moments: readonly IssueMoment[]): HistoryInterval[] {
  const intervals: {
    change: IssueMoment['change']
    severity: IssueMoment['severity']
    moments: [IssueMoment, ...IssueMoment[]]
  }[] = []
  for (const moment of moments) {
    const lastInterval = intervals.at(-1)
    if (lastInterval?.change === moment.change && lastInterval.severity === moment.severity) lastInterval.moments.push(moment)
    else intervals.push({ change: moment.change, severity: moment.severity, moments: [moment] })
  }
  return intervals
}
