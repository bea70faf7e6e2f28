import { Plural, useLingui } from '@lingui/react/macro'
import type { RunStats } from '@clearway/contract/monitor/run/schema.ts'
import { ChartFigure, ChartTable } from '../../../kit/chart/figure.tsx'
import { splitPointChange, toScorePoints, useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { ScoreChart } from '../../../kit/chart/score-chart.tsx'

type ScoreTrend = RunStats['trend']

/** Score of the latest runs as a sentence, a chart and a table. */
export function TrendCard({ trend }: { trend: ScoreTrend }) {
  const { t } = useLingui()
  const scoredRuns = trend.filter((run) => run.score !== null)
  if (scoredRuns.length < 2)
    return (
      <div data-empty>
        <h2>{t`Trend`}</h2>
        <p className={layout.muted}>{t`From the second run on, this shows how the score changes.`}</p>
      </div>
    )
  return (
    <ChartFigure
      title={<TrendSummary trend={scoredRuns} />}
      chart={
        <ScoreChart
          label={t`Score by run`}
          points={scoredRuns.map(({ number, score, endedAt, ruleSetChanged }) => ({
            key: number,
            score: score ?? 0,
            timestamp: endedAt,
            changeLabel: ruleSetChanged ? t`rules changed` : undefined,
          }))}
        />
      }
      table={<TrendTable trend={trend} />}
    />
  )
}

function TrendSummary({ trend }: { trend: ScoreTrend }) {
  const { t } = useLingui()
  const firstScore = trend[0]?.score ?? 0
  const lastScore = trend.at(-1)?.score ?? 0
  const decided = trend.slice(1).reduce((sum, { scoreByDecisions }) => sum + scoreByDecisions, 0)
  const { bySite: pointChange } = splitPointChange(lastScore, {
    score: lastScore - firstScore - decided,
    byDecisions: decided,
  })
  const runCount = trend.length
  const absoluteChange = Math.abs(pointChange)
  if (pointChange === 0) return t`Unchanged over ${runCount} runs`
  return pointChange > 0 ? (
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
