import { plural } from '@lingui/core/macro'
import { Plural, useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { RollupTrend } from '@clearway/contract/monitor/scan/rollup/schema.ts'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { toScorePoints } from '@clearway/contract/kit/score.ts'
import { ChartFigure, ChartTable } from '../../../kit/chart/figure.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { Icon } from '../../../kit/control/icon.tsx'
import layout from '../../../kit/page/layout.module.css'
import { ScoreChart } from '../../../kit/chart/score-chart.tsx'
import { SignLabel, getSignLabel } from '../../ruleset/parts/severity.tsx'
import styles from './rollup.module.css'

type TrendPoint = z.output<typeof RollupTrend>['points'][number]
type RollupTrendCardProps = {
  points: readonly TrendPoint[]
  /** The same scans for the issue list; null if there are too many for a link. */
  linkedScanIds: ScanId[] | null
  isBusy: boolean
}

const impactRows = [
  ['critical', 'critical'],
  ['serious', 'serious'],
  ['moderate', 'moderate'],
  ['minor', 'minor'],
] as const

/** Current results of the selected scans and the trend of their mean score. */
export function RollupTrendCard({ points, linkedScanIds, isBusy }: RollupTrendCardProps) {
  const scoredPoints = points.filter(({ score }) => score !== null)
  const lastPoint = scoredPoints.at(-1)
  if (!lastPoint) return null
  return (
    <section className={`${layout.card} ${styles.hero}`} aria-labelledby="rollup-score" aria-busy={isBusy}>
      <CurrentResults
        last={lastPoint}
        linkedScanIds={linkedScanIds}
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

type ScoreMovementsProps = { last: TrendPoint; first: TrendPoint; hasDecisions: boolean }

/** The change since a point, without a direction if other things are a part of it: decisions about issues, or other scans. */
function ScoreMovements({ last: lastPoint, first: firstPoint, hasDecisions }: ScoreMovementsProps) {
  const { t } = useLingui()
  const { formatDate, formatNumber, formatSigned } = useFormats()
  const firstPoints = toScorePoints(firstPoint.score ?? 0)
  const lastScore = lastPoint.score ?? 0
  const [previousScans, currentScans] = [firstPoint.scans, lastPoint.scans]
  const hasOtherScans = previousScans !== currentScans
  if (!hasDecisions && !hasOtherScans)
    return <ScoreMovement points={toScorePoints(lastScore) - firstPoints} from={firstPoint.from} />
  const formattedSince = formatDate(firstPoint.from)
  const signedPoints = formatSigned(toScorePoints(lastScore) - firstPoints)
  return (
    <span className={styles.movements}>
      <span>
        {hasOtherScans
          ? t`From ${firstPoints} on ${formattedSince}`
          : t`${signedPoints} since ${formattedSince}, from ${firstPoints}`}
      </span>
      {hasOtherScans && (
        <span
          className={`${layout.muted} ${layout.sm}`}
        >{t`Scans in the mean: ${formatNumber(previousScans)} then, ${formatNumber(currentScans)} now.`}</span>
      )}
      {hasDecisions && (
        <span
          className={`${layout.muted} ${layout.sm}`}
        >{t`Decisions about issues, such as ignoring, are part of the change.`}</span>
      )}
    </span>
  )
}

/** Current results and the change since the first point; null without an earlier point. */
function CurrentResults({
  last: lastPoint,
  first: firstPoint,
  linkedScanIds,
  hasDecisions,
}: {
  last: TrendPoint
  linkedScanIds: ScanId[] | null
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
        {firstPoint && <ScoreMovements last={lastPoint} first={firstPoint} hasDecisions={hasDecisions} />}
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
            <SignLabel sign={sign} />{' '}
            <b className={layout.num}>
              {linkedScanIds && lastPoint.openIssues[key] > 0 ? (
                <Link
                  className={styles.count}
                  to="/issues"
                  search={{ scanId: linkedScanIds, severity: [sign] }}
                  aria-label={`${formatNumber(lastPoint.openIssues[key])}, ${t(getSignLabel(sign))}`}
                >
                  {formatNumber(lastPoint.openIssues[key])}
                </Link>
              ) : (
                formatNumber(lastPoint.openIssues[key])
              )}
            </b>
          </li>
        ))}
      </ul>
    </div>
  )
}

function ScoreTrend({ scored: scoredPoints, points }: { scored: readonly TrendPoint[]; points: readonly TrendPoint[] }) {
  const { t } = useLingui()
  const { formatNumber, formatDate } = useFormats()
  /** Scans with a first result change the mean, too. */
  const getJoiningLabel = (index: number) => {
    const joiningScans = (scoredPoints[index]?.scans ?? 0) - (scoredPoints[index - 1]?.scans ?? Infinity)
    return joiningScans > 0 ? t`${plural(joiningScans, { one: '+# scan', other: '+# scans' })}` : undefined
  }
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
          points={scoredPoints.map(({ from, score }, index) => ({
            key: from,
            score: score ?? 0,
            // The last point is the present state: its day or week is not over.
            timestamp: index === scoredPoints.length - 1 ? openedAt : from,
            changeLabel: getJoiningLabel(index),
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
