import { Plural, useLingui } from '@lingui/react/macro'
import type { RunStats } from '@clearway/contract/monitor/run/schema.ts'
import { useState } from 'react'
import { Button } from '../../../kit/button.tsx'
import { scorePoints, useFormats } from '../../../kit/format.ts'
import layout from '../../../kit/layout.module.css'
import { TrendChart } from './trend-chart.tsx'
import styles from './trend-card.module.css'

type Trend = RunStats['trend']

/** The score over the last runs: a sentence, a line, and the same as a table. */
export function TrendCard({ trend }: { trend: Trend }) {
  const { t } = useLingui()
  const [table, setTable] = useState(false)
  const scored = trend.filter((run) => run.score !== null)
  if (scored.length < 2)
    return (
      <div>
        <h2>{t`Trend`}</h2>
        <p className={layout.muted}>{t`From the second run on you see here how the score moves.`}</p>
      </div>
    )
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.caption}>
        <h2>
          <Finding trend={scored} />
        </h2>
        <Button small onPress={() => setTable(!table)}>
          {table ? t`Show as chart` : t`Show as table`}
        </Button>
      </figcaption>
      {table ? <TrendTable trend={trend} /> : <TrendChart trend={scored} />}
    </figure>
  )
}

function Finding({ trend }: { trend: Trend }) {
  const { t } = useLingui()
  const first = trend[0]?.score ?? 0
  const last = trend.at(-1)?.score ?? 0
  const points = scorePoints(last) - scorePoints(first)
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
  const { number, date } = useFormats()
  return (
    <div className={styles.scroll} tabIndex={0} role="region" aria-label={t`Score by run`}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t`Run`}</th>
            <th scope="col">{t`Date`}</th>
            <th scope="col">{t`Score`}</th>
            <th scope="col">{t`Pages`}</th>
            <th scope="col">{t`Critical`}</th>
            <th scope="col">{t`Serious`}</th>
          </tr>
        </thead>
        <tbody>
          {trend.map((run) => (
            <tr key={run.number}>
              <th scope="row">{number(run.number)}</th>
              <td>
                {run.endedAt ? date(run.endedAt) : '–'}
                {run.ruleSetChanged && ` (${t`rules changed`})`}
              </td>
              <td>{run.score === null ? '–' : scorePoints(run.score)}</td>
              <td>{number(run.pages)}</td>
              <td>{number(run.openIssues.critical)}</td>
              <td>{number(run.openIssues.serious)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
