import { useLingui } from '@lingui/react/macro'
import type { RunStats } from '@clearway/contract/monitor/run/schema.ts'
import { useEffect, useRef, useState } from 'react'
import { scorePoints, useFormats } from '../../../kit/format.ts'
import styles from './trend-card.module.css'

const height = 212
const left = 36
const right = 44
const top = 20
const bottom = 178
/** Room that one date needs, px: fewer dates on a small screen, never smaller ones. */
const labelRoom = 70

/** The score by run as a line; drawn at the width it has, so that its text keeps its size. */
export function TrendChart({ trend }: { trend: RunStats['trend'] }) {
  const { t } = useLingui()
  const { list, number, shortDate } = useFormats()
  const { box, width } = useWidth()
  const scores = trend.map((run) => scorePoints(run.score ?? 0))
  const floor = Math.max(0, Math.min(80, Math.floor((Math.min(...scores) - 1) / 20) * 20))
  const steps = Array.from({ length: (100 - floor) / 20 + 1 }, (_, i) => floor + i * 20)
  const x = (i: number) => left + 8 + (i * (width - left - right - 8)) / Math.max(1, trend.length - 1)
  const y = (score: number) => bottom - ((score - floor) / (100 - floor)) * (bottom - top)
  const every = Math.max(1, Math.ceil((trend.length * labelRoom) / Math.max(1, width - left - right)))
  const lastIndex = trend.length - 1
  const values = list(scores.map((score) => number(score)))
  return (
    <svg
      ref={box}
      className={styles.chart}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={t`Score by run: ${values}`}
    >
      {steps.map((step) => (
        <g key={step}>
          <path className={styles.grid} d={`M${left} ${y(step)}H${width - right}`} />
          <text className={styles.axis} x={left - 8} y={y(step) + 4} textAnchor="end">
            {number(step)}
          </text>
        </g>
      ))}
      {trend.map((run, i) =>
        run.ruleSetChanged ? (
          <g key={run.number}>
            <path className={styles.rules} d={`M${x(i)} ${top}V${bottom}`} />
            <text className={styles.axis} x={x(i)} y={top - 6} textAnchor="middle">{t`rules changed`}</text>
          </g>
        ) : null,
      )}
      <path
        className={styles.line}
        d={scores.map((score, i) => `${i ? 'L' : 'M'}${x(i)} ${y(score)}`).join('')}
      />
      {scores.map((score, i) => (
        <circle
          key={trend[i]?.number}
          className={i === lastIndex ? styles.last : styles.point}
          cx={x(i)}
          cy={y(score)}
          r={i === lastIndex ? 6 : 4}
        />
      ))}
      <text className={styles.value} x={x(lastIndex) + 12} y={y(scores[lastIndex] ?? 0) + 5}>
        {number(scores[lastIndex] ?? 0)}
      </text>
      {trend.map((run, i) =>
        (lastIndex - i) % every === 0 && run.endedAt ? (
          <text key={run.number} className={styles.axis} x={x(i)} y={200} textAnchor="middle">
            {shortDate(run.endedAt)}
          </text>
        ) : null,
      )}
    </svg>
  )
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
