import { Plural, useLingui } from '@lingui/react/macro'
import type { RollupTrend } from '@clearway/contract/monitor/scan/rollup/schema.ts'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { toScorePoints } from '@clearway/contract/kit/score.ts'
import { ChartFigure, ChartTable } from '../../../kit/chart/figure.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { Icon } from '../../../kit/control/icon.tsx'
import layout from '../../../kit/page/layout.module.css'
import { ScoreChart } from '../../../kit/chart/score-chart.tsx'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import styles from './rollup.module.css'

type TrendPoint = z.output<typeof RollupTrend>['points'][number]
type RollupTrendCardProps = {
  points: readonly TrendPoint[]
  isBusy: boolean
}

const impactRows = [
  ['critical', 'critical'],
  ['serious', 'serious'],
  ['moderate', 'moderate'],
  ['minor', 'minor'],
] as const

/** Current results of the selected scans and the trend of their mean score. */
export function RollupTrendCard({ points, isBusy }: RollupTrendCardProps) {
  const scoredPoints = points.filter(({ score }) => score !== null)
  const lastPoint = scoredPoints.at(-1)
  if (!lastPoint) return null
  return (
    <section className={`${layout.card} ${styles.hero}`} aria-labelledby="rollup-score" aria-busy={isBusy}>
      <CurrentResults
        last={lastPoint}
        first={scoredPoints.length > 1 ? (scoredPoints[0] ?? null) : null}
        hasDecisions={scoredPoints.slice(1).some(({ scoreByDecisions }) => scoreByDecisions !== 0)}
      />
      <ScoreTrend scored={scoredPoints} points={points} />
    </section>
  )
}

function ScoreMovement({ points: pointChange, from }: { points: number; from: TrendPoint['from'] }) {
  const { formatDate } = useFormats()
  const { t } = useLingui()
  const absoluteChange = Math.abs(pointChange)
  const formattedSince = formatDate(from)
  if (pointChange === 0) return <span className={`${styles.moved} ${layout.muted}`}>{t`Unchanged since ${formattedSince}`}</span>
  return (
    <span className={`${styles.moved} ${pointChange > 0 ? layout.good : layout.bad}`}>
      <Icon name={pointChange > 0 ? 'arrowUp' : 'arrowDown'} />
      <span>
        {pointChange > 0 ? (
          <Plural
            value={absoluteChange}
            one={`# point up since ${formattedSince}`}
            other={`# points up since ${formattedSince}`}
          />
        ) : (
          <Plural
            value={absoluteChange}
            one={`# point down since ${formattedSince}`}
            other={`# points down since ${formattedSince}`}
          />
        )}
      </span>
    </span>
  )
}

type ScoreMovementsProps = { last: number; first: TrendPoint; hasDecisions: boolean }

/** The change since a point, without a direction if decisions about issues, such as ignores, are a part of it. */
function ScoreMovements({ last: lastScore, first: firstPoint, hasDecisions }: ScoreMovementsProps) {
  const { t } = useLingui()
  const { formatDate, formatSigned } = useFormats()
  const firstPoints = toScorePoints(firstPoint.score ?? 0)
  if (!hasDecisions) return <ScoreMovement points={toScorePoints(lastScore) - firstPoints} from={firstPoint.from} />
  const formattedSince = formatDate(firstPoint.from)
  const signedPoints = formatSigned(toScorePoints(lastScore) - firstPoints)
  return (
    <span className={styles.movements}>
      <span>{t`${signedPoints} since ${formattedSince}, from ${firstPoints}`}</span>
      <span
        className={`${layout.muted} ${layout.sm}`}
      >{t`Decisions about issues, such as ignoring, are part of the change.`}</span>
    </span>
  )
}

/** Current results and the change since the first point; null without an earlier point. */
function CurrentResults({
  last: lastPoint,
  first: firstPoint,
  hasDecisions,
}: {
  last: TrendPoint
  first: TrendPoint | null
  hasDecisions: boolean
}) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  return (
    <div>
      <h2 id="rollup-score">{lastPoint.scans === 1 ? t`Score` : t`Mean score of the scans`}</h2>
      <p className={styles.score}>
        <span>
          <b>{toScorePoints(lastPoint.score ?? 0)}</b> <small>{t`of 100`}</small>
        </span>
        {firstPoint && <ScoreMovements last={lastPoint.score ?? 0} first={firstPoint} hasDecisions={hasDecisions} />}
      </p>
      <p className={layout.muted}>
        <Plural value={lastPoint.scans} one="# scan with results" other="# scans with results" />
        {', '}
        <Plural value={lastPoint.pages} one="# tested page" other="# tested pages" />
      </p>
      <h3 className={layout.hidden}>{t`Open issues by impact`}</h3>
      <ul className={styles.impacts}>
        {impactRows.map(([key, sign]) => (
          <li key={key}>
            <SignLabel sign={sign} /> <b className={layout.num}>{formatNumber(lastPoint.openIssues[key])}</b>
          </li>
        ))}
      </ul>
    </div>
  )
}

function ScoreTrend({ scored: scoredPoints, points }: { scored: readonly TrendPoint[]; points: readonly TrendPoint[] }) {
  const { t } = useLingui()
  const { formatNumber, formatDate } = useFormats()
  const [openedAt] = useState(() => new Date().toISOString())
  if (scoredPoints.length < 2)
    return (
      <div>
        <h2>{t`Score over time`}</h2>
        <p className={layout.muted}>{t`From the second run on, this shows how the score changes.`}</p>
      </div>
    )
  return (
    <ChartFigure
      title={t`Score over time`}
      chart={
        <ScoreChart
          label={t`Score over time`}
          isTimeScale
          points={scoredPoints.map(({ from, score }, index) => ({
            key: from,
            score: score ?? 0,
            // The last point is the present state: its day or week is not over.
            timestamp: index === scoredPoints.length - 1 ? openedAt : from,
          }))}
        />
      }
      table={
        <ChartTable
          label={t`Score over time`}
          columnHeadings={[t`From`, t`Score`, t`Scans`, t`Pages`, t`Critical`, t`Serious`]}
          tableRows={points
            .filter(({ scans }) => scans > 0)
            .map(({ from, score, scans, pages, openIssues }) => ({
              key: from,
              cells: [
                formatDate(from),
                score === null ? '–' : toScorePoints(score),
                formatNumber(scans),
                formatNumber(pages),
                formatNumber(openIssues.critical),
                formatNumber(openIssues.serious),
              ],
            }))}
        />
      }
    />
  )
}
