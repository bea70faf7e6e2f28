import layout from '../page/layout.module.css'
import { useFormats } from './format.ts'

/** A number among others: zeros are muted, so that the others stand out. */
export function Count({ value }: { value: number }) {
  const { formatNumber } = useFormats()
  if (value !== 0) return formatNumber(value)
  return (
    <span className={layout.muted} data-zero>
      {formatNumber(0)}
    </span>
  )
}
