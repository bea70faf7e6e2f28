import { useLingui } from '@lingui/react/macro'
import type { Health } from '@clearway/contract/monitor/page/schema.ts'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { SignShape, signFill, signWord } from '../../ruleset/parts/severity.tsx'
import type { Overview } from '../queries.ts'
import styles from './health-bar.module.css'

const order: readonly Health[] = ['critical', 'serious', 'moderate', 'good']
const width = 1000
const gap = 4

/** Hatches distinguish the parts without color. */
const hatches = {
  critical: { size: 5, turn: 45, mark: <path d="M0 0v5" strokeWidth="1.5" /> },
  serious: { size: 8, turn: -45, mark: <path d="M0 0v8" strokeWidth="1.5" /> },
  moderate: { size: 6, turn: 0, mark: <path d="M3 3v.01" strokeWidth="2.2" strokeLinecap="round" /> },
  good: null,
} as const

/** Pages by health as one bar, with links to the pages. */
export function HealthBar({ run }: { run: Overview }) {
  const { t } = useLingui()
  const { formatNumber: number } = useFormats()
  const id = useId()
  const parts = order
    .map((health) => ({ health, pages: run.pagesByHealth[health] }))
    .filter(({ pages }) => pages > 0)
  const total = parts.reduce((sum, { pages }) => sum + pages, 0)
  if (total === 0) return null
  const scale = (width - gap * (parts.length - 1)) / total
  const words = parts.map(({ health, pages }) => `${number(pages)} ${t(signWord(health))}`).join(', ')
  const startOf = (i: number) => parts.slice(0, i).reduce((x, { pages }) => x + pages * scale + gap, 0)
  return (
    <div>
      <h3 id={id} className={`${layout.sm} ${styles.title}`}>{t`Pages by health`}</h3>
      <svg
        className={styles.bar}
        viewBox={`0 0 ${width} 28`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t`Pages by health: ${words}`}
      >
        {parts.map(({ health, pages }, i) => (
          <Part key={health} health={health} x={startOf(i)} width={pages * scale} id={`${id}-${health}`} />
        ))}
      </svg>
      <ul className={styles.legend} aria-labelledby={id}>
        {parts.map(({ health, pages }) => (
          <li key={health}>
            <Link
              className={styles.entry}
              to="/pages"
              search={{ scanId: [run.scanId], run: run.number, health: [health] }}
            >
              <SignShape sign={health} />
              <span>
                <b className={layout.num}>{number(pages)}</b> {t(signWord(health))}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Part({ health, x, width: length, id }: { health: Health; x: number; width: number; id: string }) {
  const hatch = hatches[health]
  return (
    <>
      <rect className={signFill(health)} x={x} width={length} height="28" />
      {hatch && (
        <>
          <pattern
            id={id}
            width={hatch.size}
            height={hatch.size}
            patternUnits="userSpaceOnUse"
            patternTransform={`rotate(${hatch.turn})`}
          >
            <g className={styles.hatch}>{hatch.mark}</g>
          </pattern>
          <rect fill={`url(#${id})`} x={x} width={length} height="28" />
        </>
      )}
    </>
  )
}
