import type { CSSProperties } from 'react'
import { toScorePoints } from '@clearway/contract/kit/score.ts'
import styles from './score-bar.module.css'

/** Whole points of a score, above their part of 100. */
export function ScoreBar({ score }: { score: number }) {
  const scorePoints = toScorePoints(score)
  return (
    <span className={styles.bar} style={{ '--points': scorePoints } as CSSProperties}>
      {scorePoints}
    </span>
  )
}
