import { Plural, useLingui } from '@lingui/react/macro'
import type { RunStats } from '@clearway/contract/monitor/run/schema.ts'
import type { ScanGoals, ScoreTarget } from '@clearway/contract/monitor/scan/goal/schema.ts'
import type { ScanSummary } from '@clearway/contract/monitor/scan/schema.ts'
import { toScorePoints } from '@clearway/contract/kit/score.ts'
import { ChartFigure, ChartTable } from '../../../kit/chart/figure.tsx'
import { TrendParts } from '../parts/trend-parts.tsx'
import { splitPointDifference, useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { ScoreChart } from '../../../kit/chart/score-chart.tsx'
import { TrendGoals } from './goals.tsx'
import { listTrendMarks, type TrendMark } from '../model-goal.ts'

type ScoreTrend = RunStats['trend']

type TrendCardProps = {
  trend: ScoreTrend
  scan: Pick<ScanSummary, 'id' | 'rights'>
  goals?: ScanGoals | undefined
}

/** Score of the latest runs as a sentence, a chart and a table, with the target and the events that explain it. */
export function TrendCard({ trend, scan, goals }: TrendCardProps) {
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
      <TrendFigure trend={trend} scoredRuns={scoredRuns} marks={marks} target={goals?.target ?? null} />
      {goalList}
    </div>
  )
}

type TrendFigureProps = {
  trend: ScoreTrend
  scoredRuns: ScoreTrend
  marks: readonly TrendMark[]
  target: ScoreTarget | null
}

/** The difference that the chart shows. The note splits it if decisions about issues, such as ignores, are a part of it. */
function TrendFigure({ trend, scoredRuns, marks, target }: TrendFigureProps) {
  const { t } = useLingui()
  const [firstScore, lastScore] = [scoredRuns[0]?.score ?? 0, scoredRuns.at(-1)?.score ?? 0]
  const decidedScore = scoredRuns.slice(1).reduce((sum, { scoreByDecisions }) => sum + scoreByDecisions, 0)
  const { bySite: sitePoints, byDecisions: decidedPoints } = splitPointDifference(firstScore, lastScore, decidedScore)
  const [firstPoints, lastPoints] = [toScorePoints(firstScore), toScorePoints(lastScore)]
  const runCount = scoredRuns.length
  const targetScore = target?.score ?? 0
  return (
    <ChartFigure
      title={
        decidedPoints === 0 ? (
          <TrendTitle points={sitePoints} runCount={runCount} />
        ) : (
          t`From ${firstPoints} to ${lastPoints} over ${runCount} runs`
        )
      }
      note={
        decidedPoints !== 0 && (
          <p className={`${layout.muted} ${layout.sm}`}>
            <TrendParts bySite={sitePoints} byDecisions={decidedPoints} />
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
