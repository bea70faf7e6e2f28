import { useLingui } from '@lingui/react/macro'
import { toScorePoints, useFormats } from '../../../kit/text/format.ts'
import { UnknownValue } from '../../../kit/page/states.tsx'
import styles from './sparkline.module.css'

const width = 82
const height = 24
const pad = 3

/** The last scores as a line, with the numbers for those who cannot see it. Scores are 0–1. */
export function Sparkline({ scores }: { scores: readonly (number | null)[] }) {
  const { t } = useLingui()
  const { formatList: list, formatNumber: number } = useFormats()
  const known = scores.filter((score) => score !== null)
  if (known.length === 0) return <UnknownValue label={t`No score yet`} />
  const step = known.length > 1 ? (width - 2 * pad) / (known.length - 1) : 0
  const low = Math.min(...known, 1 - 0.1)
  const high = Math.max(...known, low + 0.1)
  const points = known.map((score, i) => ({
    x: known.length > 1 ? pad + i * step : width - pad,
    y: pad + (1 - (score - low) / (high - low)) * (height - 2 * pad),
  }))
  const last = points.at(-1)
  return (
    <svg
      className={styles.box}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={list(known.map((score) => number(toScorePoints(score))))}
    >
      <path className={styles.line} d={points.map(({ x, y }, i) => `${i ? 'L' : 'M'}${x} ${y}`).join('')} />
      {last && <circle className={styles.end} cx={last.x} cy={last.y} r="3" />}
    </svg>
  )
}
