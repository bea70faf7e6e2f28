import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { scorePoints, useFormats } from '../text/format.ts'
import layout from '../page/layout.module.css'
import styles from './score-chart.module.css'

export type ScorePoint = {
  key: string | number
  /** 0–1 */
  score: number
  /** When; a point without is not dated. */
  at: string | null
  /** What changed here: scores before and after do not compare. */
  mark?: string | undefined
}

const height = 212
const left = 36
const right = 44
const top = 20
const bottom = 178
/** Room that one date needs, px: fewer dates on a small screen, never smaller ones. */
const labelRoom = 70

/** Scores over time as a line. Where all are high its scale begins higher, and says so. */
export function ScoreChart({ label, points }: { label: string; points: readonly ScorePoint[] }) {
  const { t } = useLingui()
  const { number } = useFormats()
  const scores = points.map(({ score }) => scorePoints(score))
  const floor = Math.max(0, Math.min(80, Math.floor((Math.min(...scores) - 1) / 20) * 20))
  const begin = number(floor)
  return (
    <>
      <Line label={label} points={points} scores={scores} floor={floor} />
      {floor > 0 && (
        <p className={`${layout.muted} ${layout.sm}`}>{t`The scale begins at ${begin}, not at 0.`}</p>
      )}
    </>
  )
}

type LineProps = {
  label: string
  points: readonly ScorePoint[]
  scores: readonly number[]
  /** Where the scale begins, 0–80. */
  floor: number
}

/** Drawn at the width it has, so that its text keeps its size. */
function Line({ label, points, scores, floor }: LineProps) {
  const { list, number, shortDate } = useFormats()
  const { box, width } = useWidth()
  const steps = Array.from({ length: (100 - floor) / 20 + 1 }, (_, i) => floor + i * 20)
  const x = (i: number) => left + 8 + (i * (width - left - right - 8)) / Math.max(1, points.length - 1)
  const y = (score: number) => bottom - ((score - floor) / (100 - floor)) * (bottom - top)
  const every = Math.max(1, Math.ceil((points.length * labelRoom) / Math.max(1, width - left - right)))
  const lastIndex = points.length - 1
  const days = datesOf(
    points.map(({ at }) => at && shortDate(at)),
    every,
  )
  const values = list(scores.map((score) => number(score)))
  return (
    <svg
      ref={box}
      className={styles.chart}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`${label}: ${values}`}
    >
      {steps.map((step) => (
        <g key={step}>
          <path className={styles.grid} d={`M${left} ${y(step)}H${width - right}`} />
          <text className={styles.axis} x={left - 8} y={y(step) + 4} textAnchor="end">
            {number(step)}
          </text>
        </g>
      ))}
      {points.map(({ key, mark }, i) =>
        mark ? (
          <g key={key}>
            <path className={styles.mark} d={`M${x(i)} ${top}V${bottom}`} />
            <text className={styles.axis} x={x(i)} y={top - 6} textAnchor="middle">
              {mark}
            </text>
          </g>
        ) : null,
      )}
      <path
        className={styles.line}
        d={scores.map((score, i) => `${i ? 'L' : 'M'}${x(i)} ${y(score)}`).join('')}
      />
      {scores.map((score, i) => (
        <circle
          key={points[i]?.key}
          className={i === lastIndex ? styles.last : styles.point}
          cx={x(i)}
          cy={y(score)}
          r={i === lastIndex ? 6 : 4}
        />
      ))}
      <text className={styles.value} x={x(lastIndex) + 12} y={y(scores[lastIndex] ?? 0) + 5}>
        {number(scores[lastIndex] ?? 0)}
      </text>
      {points.map(({ key }, i) =>
        days[i] ? (
          <text key={key} className={styles.axis} x={x(i)} y={200} textAnchor="middle">
            {days[i]}
          </text>
        ) : null,
      )}
    </svg>
  )
}

/** What the points are dated by: every so many of them, back from the last one, and each day once. */
function datesOf(days: readonly (string | null)[], every: number): (string | null)[] {
  const shown = days.map((): string | null => null)
  let said: string | null = null
  for (let i = days.length - 1; i >= 0; i -= every)
    if (days[i] !== said) {
      said = days[i] ?? null
      shown[i] = said
    }
  return shown
}

function useWidth() {
  const box = useRef<SVGSVGElement>(null)
  const [width, setWidth] = useState(560)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => setWidth(Math.max(200, element.clientWidth)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { box, width }
}
