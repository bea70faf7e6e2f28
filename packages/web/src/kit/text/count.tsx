import layout from '../page/layout.module.css'
import { useFormats } from './format.ts'

/** A number among others: zeros are muted, so that the others stand out. */
export function Count({ value }: { value: number }) {
  const { formatNumber } = useFormats()
  return value === 0 ? <span className={layout.muted}>{formatNumber(0)}</span> : formatNumber(value)
}
