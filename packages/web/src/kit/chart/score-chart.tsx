import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { toScorePoints } from '@clearway/contract/kit/score.ts'
import { useFormats } from '../text/format.ts'
import layout from '../page/layout.module.css'
import styles from './score-chart.module.css'
import { computeTimePositions } from './time-positions.ts'

export type ScorePoint = {
  key: string | number
  /** 0–1 */
  score: number
  /** Timestamp; null for an undated point. */
  timestamp: string | null
  /** Label of a change at this point. Scores before and after it are not comparable. */
  changeLabel?: string | undefined
}

/** A score of 0–100 that a line marks, and its label. */
type ScoreLevel = { score: number; label: string }

/** Span from which labels name the year instead of the day: ten months. */
const longSpanMs = 300 * 24 * 60 * 60_000
const chartHeight = 212
const plotLeft = 36
const rightMargin = 44
const plotTop = 20
const plotBottom = 178
/** Minimum width of a date label in pixels. Small screens show fewer dates, not smaller ones. */
const minLabelWidth = 70
/** Distance in pixels below which dots touch. They are ten pixels wide; distances of ten may be slightly less. */
const minDotDistance = 9.9
/** Returns the width of a label in pixels, rounded up: Japanese characters are as wide as the text is high. */
const estimateLabelWidth = (text: string): number =>
  Array.from(text).reduce((width, character) => width + (character >= '\u2E80' ? 12 : 8), 0)

type ScoreChartProps = {
  label: string
  points: readonly ScorePoint[]
  target?: ScoreLevel
}

/** Line chart of scores over time, on a scale of time. If all scores are high, the axis starts above 0 and the chart says so. */
export function ScoreChart({ label, points, target }: ScoreChartProps) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const scorePercentages = points.map(({ score }) => toScorePoints(score))
  const axisMinimum = Math.max(0, Math.min(80, Math.floor((Math.min(...scorePercentages, target?.score ?? 100) - 1) / 20) * 20))
  const formattedMinimum = formatNumber(axisMinimum)
  return (
    <>
      <ScoreLine label={label} points={points} scores={scorePercentages} axisMinimum={axisMinimum} target={target} />
      {axisMinimum > 0 && (
        <p className={`${layout.muted} ${layout.sm}`}>{t`The scale begins at ${formattedMinimum}, not at 0.`}</p>
      )}
    </>
  )
}

type ScoreLineProps = {
  label: string
  points: readonly ScorePoint[]
  scores: readonly number[]
  /** Lower end of the axis, 0–80. */
  axisMinimum: number
  target: ScoreLevel | undefined
}

/** Drawn at its actual width so that text keeps its size. */
function ScoreLine({ label, points, scores, axisMinimum, target }: ScoreLineProps) {
  const { formatList, formatMonth, formatNumber, formatShortDate } = useFormats()
  const { box: chartRef, width: chartWidth } = useChartWidth()
  const axisTicks = Array.from({ length: (100 - axisMinimum) / 20 + 1 }, (_, i) => axisMinimum + i * 20)
  const xCoordinates = computeTimePositions(
    points.map(({ timestamp }) => timestamp),
    plotLeft + 8,
    chartWidth - rightMargin,
  )
  const toXCoordinate = (pointIndex: number) => xCoordinates[pointIndex]!
  const toYCoordinate = (score: number) => plotBottom - ((score - axisMinimum) / (100 - axisMinimum)) * (plotBottom - plotTop)
  const lastPointIndex = points.length - 1
  const timestamps = points.flatMap(({ timestamp }) => (timestamp ? [Date.parse(timestamp)] : []))
  // Otherwise the same day of two years has one label.
  const isLong = Math.max(...timestamps) - Math.min(...timestamps) > longSpanMs
  const dateLabels = selectLabels(
    points.map(({ timestamp }) => timestamp && (isLong ? formatMonth(timestamp) : formatShortDate(timestamp))),
    { toXCoordinate, getWidth: () => minLabelWidth, canRepeat: false },
  )
  // Every change keeps its line.
  const changeLabels = selectLabels(
    points.map(({ changeLabel }) => changeLabel),
    { toXCoordinate, getWidth: estimateLabelWidth, canRepeat: true },
  )
  const formattedScores = formatList(scores.map((score) => formatNumber(score)))
  return (
    <svg
      ref={chartRef}
      className={styles.chart}
      viewBox={`0 0 ${chartWidth} ${chartHeight}`}
      role="img"
      aria-label={`${label}: ${formattedScores}`}
    >
      {axisTicks.map((step) => (
        <g key={step}>
          <path className={styles.grid} d={`M${plotLeft} ${toYCoordinate(step)}H${chartWidth - rightMargin}`} />
          <text className={styles.axis} x={plotLeft - 8} y={toYCoordinate(step) + 4} textAnchor="end">
            {formatNumber(step)}
          </text>
        </g>
      ))}
      {target && (
        <>
          <path className={styles.target} d={`M${plotLeft} ${toYCoordinate(target.score)}H${chartWidth - rightMargin}`} />
          <text className={styles.axis} x={plotLeft + 4} y={toYCoordinate(target.score) - 4}>
            {target.label}
          </text>
        </>
      )}
      {points.map(({ key, changeLabel }, i) =>
        changeLabel ? (
          <g key={key}>
            <path className={styles.mark} d={`M${toXCoordinate(i)} ${plotTop}V${plotBottom}`} />
            {changeLabels[i] && (
              <text className={styles.axis} x={toXCoordinate(i)} y={plotTop - 6} textAnchor="middle">
                {changeLabel}
              </text>
            )}
          </g>
        ) : null,
      )}
      <path
        className={styles.line}
        d={scores.map((score, i) => `${i ? 'L' : 'M'}${toXCoordinate(i)} ${toYCoordinate(score)}`).join('')}
      />
      {scores.map((score, i) =>
        i === lastPointIndex || isApart(xCoordinates, i) ? (
          <circle
            key={points[i]?.key}
            className={i === lastPointIndex ? styles.last : styles.point}
            cx={toXCoordinate(i)}
            cy={toYCoordinate(score)}
            r={i === lastPointIndex ? 6 : 4}
          />
        ) : null,
      )}
      <text className={styles.value} x={toXCoordinate(lastPointIndex) + 12} y={toYCoordinate(scores[lastPointIndex] ?? 0) + 5}>
        {formatNumber(scores[lastPointIndex] ?? 0)}
      </text>
      {points.map(({ key }, i) =>
        dateLabels[i] ? (
          <text key={key} className={styles.axis} x={toXCoordinate(i)} y={200} textAnchor="middle">
            {dateLabels[i]}
          </text>
        ) : null,
      )}
    </svg>
  )
}

/** Returns true if a dot does not touch those next to it. Where dots would touch, the line is enough. */
const isApart = (xCoordinates: readonly number[], pointIndex: number): boolean =>
  [pointIndex - 1, pointIndex + 1].every(
    (index) => Math.abs((xCoordinates[index] ?? Number.POSITIVE_INFINITY) - xCoordinates[pointIndex]!) >= minDotDistance,
  )

type LabelChoice = { toXCoordinate: (pointIndex: number) => number; getWidth: (label: string) => number; canRepeat: boolean }

/** Returns the labels that have room, null for the others. Counted back from the last one, labels do not overlap. */
function selectLabels(
  labels: readonly (string | null | undefined)[],
  { toXCoordinate, getWidth, canRepeat }: LabelChoice,
): (string | null)[] {
  const visibleLabels = labels.map((): string | null => null)
  let previousLabel: string | null = null
  let previousStart = Number.POSITIVE_INFINITY
  for (let i = labels.length - 1; i >= 0; i--) {
    const label = labels[i]
    if (!label || (!canRepeat && label === previousLabel)) continue
    const halfWidth = getWidth(label) / 2
    if (toXCoordinate(i) + halfWidth > previousStart) continue
    visibleLabels[i] = label
    previousLabel = label
    previousStart = toXCoordinate(i) - halfWidth
  }
  return visibleLabels
}

function useChartWidth() {
  const chartRef = useRef<SVGSVGElement>(null)
  const [chartWidth, setChartWidth] = useState(560)
  useEffect(() => {
    const chartElement = chartRef.current
    if (!chartElement) return
    const resizeObserver = new ResizeObserver(() => setChartWidth(Math.max(200, chartElement.clientWidth)))
    resizeObserver.observe(chartElement)
    return () => resizeObserver.disconnect()
  }, [])
  return { box: chartRef, width: chartWidth }
}
