import type { RunStats } from '@clearway/contract/monitor/run/schema.ts'
import type { Annotation, ScoreTarget } from '@clearway/contract/monitor/scan/goal/schema.ts'

type TrendRun = RunStats['trend'][number]
/** An event that explains the trend, with the letter that marks it in the chart. */
export type TrendMark = { letter: string; day: string; runNumber: number | null } & (
  | { kind: 'note'; annotation: Annotation }
  | { kind: 'ignored'; count: number }
)

export const toLocalDay = (instant: string | number): string => {
  const date = new Date(instant)
  const pad = (part: number) => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
}

const toLetter = (index: number): string => String.fromCodePoint(65 + (index % 26)) + (index >= 26 ? Math.floor(index / 26) : '')

/** Events of the trend, oldest first: notes, at the first run that ended on their day or later, and runs with more ignores. */
export function listTrendMarks(trend: readonly TrendRun[], annotations: readonly Annotation[]): TrendMark[] {
  const runs = trend.flatMap(({ number, endedAt, ignoredIssues }) =>
    endedAt === null ? [] : [{ number, day: toLocalDay(endedAt), ignoredIssues }],
  )
  const [firstRun] = runs
  if (!firstRun) return []
  const notes = annotations
    .filter(({ day }) => day >= firstRun.day)
    .map((annotation) => ({
      kind: 'note' as const,
      annotation,
      day: annotation.day,
      runNumber: runs.find(({ day }) => day >= annotation.day)?.number ?? null,
    }))
  const ignores = runs.flatMap(({ number, day, ignoredIssues }, i) => {
    const count = ignoredIssues - (runs[i - 1]?.ignoredIssues ?? ignoredIssues)
    return count > 0 ? [{ kind: 'ignored' as const, count, day, runNumber: number }] : []
  })
  return [...notes, ...ignores]
    .toSorted((a, b) => a.day.localeCompare(b.day))
    .map((mark, index) => ({ ...mark, letter: toLetter(index) }))
}

export type TargetState = 'reached' | 'overdue' | 'open'

/** State of a target at a score of 0–100 on a day. */
export const getTargetState = ({ score, dueOn }: ScoreTarget, points: number | null, today: string): TargetState =>
  points !== null && points >= score ? 'reached' : today > dueOn ? 'overdue' : 'open'
