import { useFormats } from '../../../kit/text/format.ts'
import type { Sign } from '../../ruleset/parts/severity.tsx'
import { signFill } from '../../ruleset/parts/severity.tsx'
import styles from './rollup.module.css'

/** A number of a table with a bar beside it, as long as its part of the most. */
export function BarNumber({ value, most, sign }: { value: number; most: number; sign: Sign }) {
  const { formatNumber: number } = useFormats()
  return (
    <span className={styles.bar}>
      <svg aria-hidden="true">
        <rect
          className={signFill(sign)}
          width={`${(value / Math.max(1, most)) * 100}%`}
          height="100%"
          rx="3"
        />
      </svg>
      <span>{number(value)}</span>
    </span>
  )
}
