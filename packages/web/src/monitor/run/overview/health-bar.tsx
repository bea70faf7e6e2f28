import { useLingui } from '@lingui/react/macro'
import type { Health } from '@clearway/contract/monitor/page/schema.ts'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { SignShape, getSignFill, getSignLabel } from '../../ruleset/parts/severity.tsx'
import type { RunOverviewData } from '../queries.ts'
import styles from './health-bar.module.css'

const healthOrder: readonly Health[] = ['critical', 'serious', 'moderate', 'good']
const barWidth = 1000
const segmentGap = 4

/** Hatching distinguishes the segments without color. */
const hatchPaths = {
  critical: { size: 5, turn: 45, mark: <path d="M0 0v5" strokeWidth="1.5" /> },
  serious: { size: 8, turn: -45, mark: <path d="M0 0v8" strokeWidth="1.5" /> },
  moderate: { size: 6, turn: 0, mark: <path d="M3 3v.01" strokeWidth="2.2" strokeLinecap="round" /> },
  good: null,
} as const

/** Tested pages by health as one bar; each segment links to its pages. */
export function HealthBar({ run }: { run: RunOverviewData }) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const controlId = useId()
  const barSegments = healthOrder.map((health) => ({ health, pages: run.pagesByHealth[health] })).filter(({ pages }) => pages > 0)
  const totalPages = barSegments.reduce((sum, { pages }) => sum + pages, 0)
  if (totalPages === 0) return null
  const unitsPerPage = (barWidth - segmentGap * (barSegments.length - 1)) / totalPages
  const barLabel = barSegments.map(({ health, pages }) => `${formatNumber(pages)} ${t(getSignLabel(health))}`).join(', ')
  const computeSegmentStart = (segmentIndex: number) =>
    barSegments.slice(0, segmentIndex).reduce((x, { pages }) => x + pages * unitsPerPage + segmentGap, 0)
  return (
    <div>
      <h3 id={controlId} className={`${layout.sm} ${styles.title}`}>{t`Pages by health`}</h3>
      <svg
        className={styles.bar}
        viewBox={`0 0 ${barWidth} 28`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t`Pages by health: ${barLabel}`}
      >
        {barSegments.map(({ health, pages }, i) => (
          <BarSegment
            key={health}
            health={health}
            x={computeSegmentStart(i)}
            width={pages * unitsPerPage}
            id={`${controlId}-${health}`}
          />
        ))}
      </svg>
      <ul className={styles.legend} aria-labelledby={controlId}>
        {barSegments.map(({ health, pages }) => (
          <li key={health}>
            <Link className={styles.entry} to="/pages" search={{ scanId: [run.scanId], run: run.number, health: [health] }}>
              <SignShape sign={health} />
              <span>
                <b className={layout.num}>{formatNumber(pages)}</b> {t(getSignLabel(health))}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {run.openIssues.minor > 0 && (
        <p className={`${layout.muted} ${layout.sm} ${styles.note}`}>
          {t`A page is rated by its worst open issue: critical, serious or moderate. Otherwise it is good, even with minor issues.`}
        </p>
      )}
    </div>
  )
}

function BarSegment({ health, x, width: segmentWidth, id }: { health: Health; x: number; width: number; id: string }) {
  const hatchPath = hatchPaths[health]
  return (
    <>
      <rect className={getSignFill(health)} x={x} width={segmentWidth} height="28" />
      {hatchPath && (
        <>
          <pattern
            id={id}
            width={hatchPath.size}
            height={hatchPath.size}
            patternUnits="userSpaceOnUse"
            patternTransform={`rotate(${hatchPath.turn})`}
          >
            <g className={styles.hatch}>{hatchPath.mark}</g>
          </pattern>
          <rect fill={`url(#${id})`} x={x} width={segmentWidth} height="28" />
        </>
      )}
    </>
  )
}
