import { Plural, useLingui } from '@lingui/react/macro'
import type { RollupTrend } from '@clearway/contract/monitor/scan/rollup/schema.ts'
import type * as z from 'zod/mini'
import { ChartFigure, ChartTable } from '../../../kit/chart/figure.tsx'
import { computePointChange, toScorePoints, useFormats } from '../../../kit/text/format.ts'
import { Icon } from '../../../kit/control/icon.tsx'
import layout from '../../../kit/page/layout.module.css'
import { ScoreChart } from '../../../kit/chart/score-chart.tsx'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import styles from './rollup.module.css'

type Point = z.output<typeof RollupTrend>['points'][number]
type Props = { points: readonly Point[]; busy: boolean }

const impacts = [
  ['critical', 'critical'],
  ['serious', 'serious'],
  ['moderate', 'moderate'],
  ['minor', 'minor'],
] as const

/** How the chosen scans stand, and how their mean score came there. */
export function RollupTrendCard({ points, busy }: Props) {
  const scored = points.filter(({ score }) => score !== null)
  const last = scored.at(-1)
  if (!last) return null
  return (
    <section className={`${layout.card} ${styles.hero}`} aria-labelledby="rollup-score" aria-busy={busy}>
      <Now last={last} first={scored.length > 1 ? (scored[0] ?? null) : null} />
      <Trend scored={scored} points={points} />
    </section>
  )
}

function Moved({ points, from }: { points: number; from: Point['from'] }) {
  const { formatDate: date } = useFormats()
  const { t } = useLingui()
  const size = Math.abs(points)
  const since = date(from)
  if (points === 0)
    return <span className={`${styles.moved} ${layout.muted}`}>{t`Unchanged since ${since}`}</span>
  return (
    <span className={`${styles.moved} ${points > 0 ? layout.good : layout.bad}`}>
      <Icon name={points > 0 ? 'arrowUp' : 'arrowDown'} />
      <span>
        {points > 0 ? (
          <Plural value={size} one={`# point up since ${since}`} other={`# points up since ${since}`} />
        ) : (
          <Plural value={size} one={`# point down since ${since}`} other={`# points down since ${since}`} />
        )}
      </span>
    </span>
  )
}

/** Where the scans stand, and how they moved since the first point; null when there is nothing before. */
function Now({ last, first }: { last: Point; first: Point | null }) {
  const { t } = useLingui()
  const { formatNumber: number } = useFormats()
  return (
    <div>
      <h2 id="rollup-score">{last.scans === 1 ? t`Score` : t`Mean score of the scans`}</h2>
      <p className={styles.score}>
        <span>
          <b>{toScorePoints(last.score ?? 0)}</b> <small>{t`of 100`}</small>
        </span>
        {first && <Moved points={computePointChange(last.score ?? 0, first.score ?? 0)} from={first.from} />}
      </p>
      <p className={layout.muted}>
        <Plural value={last.scans} one="# scan with results" other="# scans with results" />
        {', '}
        <Plural value={last.pages} one="# tested page" other="# tested pages" />
      </p>
      <h3 className={layout.hidden}>{t`Open issues by impact`}</h3>
      <ul className={styles.impacts}>
        {impacts.map(([key, sign]) => (
          <li key={key}>
            <SignLabel sign={sign} /> <b className={layout.num}>{number(last.openIssues[key])}</b>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Trend({ scored, points }: { scored: readonly Point[]; points: readonly Point[] }) {
  const { t } = useLingui()
  const { formatNumber: number, formatDate: date } = useFormats()
  if (scored.length < 2)
    return (
      <div>
        <h2>{t`Score over time`}</h2>
        <p
          className={layout.muted}
        >{t`Once there are results from more than one date, this shows how the score changes.`}</p>
      </div>
    )
  return (
    <ChartFigure
      title={t`Score over time`}
      chart={
        <ScoreChart
          label={t`Score over time`}
          points={scored.map(({ from, score }) => ({ key: from, score: score ?? 0, timestamp: from }))}
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
                date(from),
                score === null ? '–' : toScorePoints(score),
                number(scans),
                number(pages),
                number(openIssues.critical),
                number(openIssues.serious),
              ],
            }))}
        />
      }
    />
  )
}
