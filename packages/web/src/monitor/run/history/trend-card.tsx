import { Plural, useLingui } from '@lingui/react/macro'
import type { RunComparison, RunStats } from '@clearway/contract/monitor/run/schema.ts'
import type { ScanGoals, ScoreTarget } from '@clearway/contract/monitor/scan/goal/schema.ts'
import type { ScanSummary } from '@clearway/contract/monitor/scan/schema.ts'
import { toScorePoints } from '@clearway/contract/kit/score.ts'
import { ChartFigure, ChartTable } from '../../../kit/chart/figure.tsx'
import { splitComparedScore } from '../compare/model.ts'
import { ScoreParts } from '../parts/score-parts.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { ScoreChart } from '../../../kit/chart/score-chart.tsx'
import { TrendGoals } from './goals.tsx'
import { listTrendMarks, type TrendMark } from '../model-goal.ts'

type ScoreTrend = RunStats['trend']

type TrendCardProps = {
  trend: ScoreTrend
  /** The last run with a score compared with the first one; undefined until it is loaded. */
  comparison?: RunComparison | undefined
  scan: Pick<ScanSummary, 'id' | 'rights'>
  goals?: ScanGoals | undefined
}

/** Score of the latest runs as a sentence, a chart and a table, with the target and the events that explain it. */
export function TrendCard({ trend, comparison, scan, goals }: TrendCardProps) {
  const { t } = useLingui()
  const scoredRuns = trend.filter((run) => run.score !== null)
  const marks = goals ? listTrendMarks(trend, goals.annotations) : []
  const lastScore = scoredRuns.at(-1)?.score ?? null
  const goalList = goals && (
    <TrendGoals scan={scan} target={goals.target} marks={marks} points={lastScore === null ? null : toScorePoints(lastScore)} />
  )
  if (scoredRuns.length < 2)
    return (
      <div data-empty={!goals?.target && marks.length === 0 ? true : undefined}>
        <h2>{t`Trend`}</h2>
        <p className={layout.muted}>{t`From the second run on, this shows how the score changes.`}</p>
        {goalList}
      </div>
    )
  return (
    <div className={layout.tight}>
      <TrendFigure trend={trend} comparison={comparison} marks={marks} target={goals?.target ?? null} />
      {goalList}
    </div>
  )
}

type TrendFigureProps = Pick<TrendCardProps, 'trend' | 'comparison'> & {
  marks: readonly TrendMark[]
  target: ScoreTarget | null
}

/** The difference that the chart shows. The note splits it if decisions about issues, such as ignores, are a part of it. */
export function TrendFigure({ trend, comparison, marks, target }: TrendFigureProps) {
  const { t } = useLingui()
  const scoredRuns = trend.filter((run) => run.score !== null)
  const [firstPoints, lastPoints] = [toScorePoints(scoredRuns[0]?.score ?? 0), toScorePoints(scoredRuns.at(-1)?.score ?? 0)]
  const scoreParts = comparison && splitComparedScore(comparison)
  const hasDecidedPoints = scoreParts
    ? scoreParts.byDecisions !== 0
    : scoredRuns.slice(1).some(({ scoreByDecisions }) => scoreByDecisions !== 0)
  const runCount = scoredRuns.length
  const targetScore = target?.score ?? 0
  return (
    <ChartFigure
      title={
        hasDecidedPoints ? (
          t`From ${firstPoints} to ${lastPoints} over ${runCount} runs`
        ) : (
          <TrendTitle points={lastPoints - firstPoints} runCount={runCount} />
        )
      }
      note={
        scoreParts &&
        scoreParts.byDecisions !== 0 && (
          <p className={`${layout.muted} ${layout.sm}`}>
            <ScoreParts {...scoreParts} shownDifference={lastPoints - firstPoints} />
          </p>
        )
      }
      chart={
        <ScoreChart
          label={t`Score by run`}
          points={scoredRuns.map(({ number, score, endedAt, ruleSetChanged }) => ({
            key: number,
            score: score ?? 0,
            timestamp: endedAt,
            changeLabel: [
              ruleSetChanged ? t`rules changed` : '',
              ...marks.filter(({ runNumber }) => runNumber === number).map(({ letter }) => letter),
            ]
              .filter(Boolean)
              .join(' '),
          }))}
          {...(target && { target: { score: targetScore, label: t`Target ${targetScore}` } })}
        />
      }
      table={<TrendTable trend={trend} />}
    />
  )
}

function TrendTitle({ points, runCount }: { points: number; runCount: number }) {
  const { t } = useLingui()
  const absoluteChange = Math.abs(points)
  if (points === 0) return t`Unchanged over ${runCount} runs`
  return points > 0 ? (
    <Plural value={absoluteChange} one={`Up # point over ${runCount} runs`} other={`Up # points over ${runCount} runs`} />
  ) : (
    <Plural value={absoluteChange} one={`Down # point over ${runCount} runs`} other={`Down # points over ${runCount} runs`} />
  )
}

function TrendTable({ trend }: { trend: ScoreTrend }) {
  const { t } = useLingui()
  const { formatNumber, formatDate } = useFormats()
  return (
    <ChartTable
      label={t`Score by run`}
      columnHeadings={[t`Run`, t`Date`, t`Score`, t`Pages`, t`Critical`, t`Serious`]}
      tableRows={trend.map((run) => ({
        key: run.number,
        cells: [
          formatNumber(run.number),
          `${run.endedAt ? formatDate(run.endedAt) : '–'}${run.ruleSetChanged ? ` (${t`rules changed`})` : ''}`,
          run.score === null ? '–' : toScorePoints(run.score),
          formatNumber(run.pages),
          formatNumber(run.openIssues.critical),
          formatNumber(run.openIssues.serious),
        ],
      }))}
    />
  )
}
