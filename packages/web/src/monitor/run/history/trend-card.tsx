import { Plural, useLingui } from '@lingui/react/macro'
import type { RunStats } from '@clearway/contract/monitor/run/schema.ts'
import { ChartFigure, ChartTable } from '../../../kit/chart/figure.tsx'
import { computePointChange, toScorePoints, useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { ScoreChart } from '../../../kit/chart/score-chart.tsx'

type Trend = RunStats['trend']

/** The score over the last runs: a sentence, a line, and the same as a table. */
export function TrendCard({ trend }: { trend: Trend }) {
  const { t } = useLingui()
  const scored = trend.filter((run) => run.score !== null)
  if (scored.length < 2)
    return (
      <div data-empty>
        <h2>{t`Trend`}</h2>
        <p className={layout.muted}>{t`From the second run on, this shows how the score changes.`}</p>
      </div>
    )
  return (
    <ChartFigure
      title={<Finding trend={scored} />}
      chart={
        <ScoreChart
          label={t`Score by run`}
          points={scored.map(({ number, score, endedAt, ruleSetChanged }) => ({
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

function Finding({ trend }: { trend: Trend }) {
  const { t } = useLingui()
  const first = trend[0]?.score ?? 0
  const last = trend.at(-1)?.score ?? 0
  const points = computePointChange(last, first)
  const runs = trend.length
  const size = Math.abs(points)
  if (points === 0) return t`Unchanged over ${runs} runs`
  return points > 0 ? (
    <Plural value={size} one={`Up # point over ${runs} runs`} other={`Up # points over ${runs} runs`} />
  ) : (
    <Plural value={size} one={`Down # point over ${runs} runs`} other={`Down # points over ${runs} runs`} />
  )
}

function TrendTable({ trend }: { trend: Trend }) {
  const { t } = useLingui()
  const { formatNumber: number, formatDate: date } = useFormats()
  return (
    <ChartTable
      label={t`Score by run`}
      columnHeadings={[t`Run`, t`Date`, t`Score`, t`Pages`, t`Critical`, t`Serious`]}
      tableRows={trend.map((run) => ({
        key: run.number,
        cells: [
          number(run.number),
          `${run.endedAt ? date(run.endedAt) : '–'}${run.ruleSetChanged ? ` (${t`rules changed`})` : ''}`,
          run.score === null ? '–' : toScorePoints(run.score),
          number(run.pages),
          number(run.openIssues.critical),
          number(run.openIssues.serious),
        ],
      }))}
    />
  )
}
