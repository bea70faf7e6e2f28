import styles from './count.module.css'
import { useFormats } from './format.ts'

/** A number among others: in tables, zeros show nothing, so that the others stand out. */
export function Count({ value }: { value: number }) {
  const { formatNumber } = useFormats()
  if (value !== 0) return formatNumber(value)
  return (
    <span className={styles.zero} data-zero>
      {formatNumber(0)}
    </span>
  )
}
