import { useLingui } from '@lingui/react/macro'
import { toScorePoints } from '@clearway/contract/kit/score.ts'
import { useFormats } from '../../../kit/text/format.ts'
import { UnknownValue } from '../../../kit/page/states.tsx'
import styles from './sparkline.module.css'

const chartWidth = 82
const chartHeight = 24
const padding = 3

/** Scores between the edges: the same for all rows, unless one has more, so that equal changes look equal. */
const minSpan = 0.3

/** Latest scores as a line, with a text alternative. Scores are 0–1. */
export function Sparkline({ scores }: { scores: readonly (number | null)[] }) {
  const { t } = useLingui()
  const { formatList, formatNumber } = useFormats()
  const knownScores = scores.filter((score) => score !== null)
  if (knownScores.length < 2) return <UnknownValue label={t`No trend yet`} />
  const pointDistance = (chartWidth - 2 * padding) / (knownScores.length - 1)
  const [lowestScore, highestScore] = [Math.min(...knownScores), Math.max(...knownScores)]
  const span = Math.max(minSpan, highestScore - lowestScore)
  const minScore = Math.max(0, Math.min((lowestScore + highestScore - span) / 2, 1 - span))
  const linePoints = knownScores.map((score, index) => ({
    x: padding + index * pointDistance,
    y: padding + (1 - (score - minScore) / span) * (chartHeight - 2 * padding),
  }))
  const lastPoint = linePoints.at(-1)
  return (
    <svg
      className={styles.box}
      width={chartWidth}
      height={chartHeight}
      viewBox={`0 0 ${chartWidth} ${chartHeight}`}
      role="img"
      aria-label={formatList(knownScores.map((score) => formatNumber(toScorePoints(score))))}
    >
      <path className={styles.line} d={linePoints.map(({ x, y }, i) => `${i ? 'L' : 'M'}${x} ${y}`).join('')} />
      {lastPoint && <circle className={styles.end} cx={lastPoint.x} cy={lastPoint.y} r="3" />}
    </svg>
  )
}
