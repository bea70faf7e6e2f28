import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import layout from '../../../kit/page/layout.module.css'
import { UnknownValue } from '../../../kit/page/states.tsx'
import { useFormats } from '../../../kit/text/format.ts'

type ScanNamesProps = {
  /** Names of the first scans; none if the reader does not see all scans. */
  names: readonly string[]
  /** Number of all scans. */
  count: number
}

/** First scans by name, and the number of the others. */
export function ScanNames({ names, count }: ScanNamesProps) {
  const { t } = useLingui()
  const { formatList, formatNumber } = useFormats()
  if (count === 0) return <UnknownValue label={t`None`} />
  if (names.length === 0) return formatNumber(count)
  const otherCount = count - names.length
  return (
    <span className={layout.break}>
      {formatList([
        ...names,
        ...(otherCount > 0 ? [t`${plural(otherCount, { one: '# more scan', other: '# more scans' })}`] : []),
      ])}
    </span>
  )
}
