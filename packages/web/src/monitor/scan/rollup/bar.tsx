import { Count } from '../../../kit/text/count.tsx'
import type { SeveritySign } from '../../ruleset/parts/severity.tsx'
import { getSignFill } from '../../ruleset/parts/severity.tsx'
import styles from './rollup.module.css'

export function BarNumber({ value, maxValue, sign }: { value: number; maxValue: number; sign: SeveritySign }) {
  return (
    <span className={styles.bar}>
      <svg aria-hidden="true">
        <rect className={getSignFill(sign)} width={`${(value / Math.max(1, maxValue)) * 100}%`} height="100%" rx="3" />
      </svg>
      <span>
        <Count value={value} />
      </span>
    </span>
  )
}
