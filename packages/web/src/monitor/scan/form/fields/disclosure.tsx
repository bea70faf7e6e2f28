import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useEffect, useId, useRef } from 'react'
import { useFormContext } from 'react-hook-form'
import field from '../../../../kit/form/field.module.css'
import { Icon } from '../../../../kit/control/icon.tsx'
import layout from '../../../../kit/page/layout.module.css'
import { useFormats } from '../../../../kit/text/format.ts'
import { aboutField } from '../field-table.ts'
import { newValues } from '../model.ts'
import { lines, type ScanForm } from '../values.ts'
import styles from './fields.module.css'

type Name = keyof ScanForm
type Props = {
  label: string
  hint?: string | undefined
  /** Those that are asked for in it. */
  fields: readonly Name[]
  children: ReactNode
}

/** What few scans need. Closed, it says what is set; an error opens it. */
export function Disclosure({ label, hint, fields, children }: Props) {
  const { t } = useLingui()
  const id = useId()
  const { formState } = useFormContext<ScanForm>()
  const isWrong = fields.some((name) => formState.errors[name])
  const box = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    if (isWrong && box.current) box.current.open = true
  }, [isWrong])
  const set = useWhatIsSet(fields)
  return (
    <details ref={box} className={styles.folded}>
      <summary>
        <span className={styles.said}>
          <span className={field.legend}>{label}</span>{' '}
          {isWrong && (
            <span className={field.error}>
              <Icon name="warning" />
              {t`Needs a fix`}
            </span>
          )}{' '}
          <span className={`${layout.sm} ${layout.muted}`}>{set}</span>
        </span>
      </summary>
      <div role="group" aria-label={label} aria-describedby={hint && id} className={styles.question}>
        {hint && (
          <p id={id} className={field.hint}>
            {hint}
          </p>
        )}
        {children}
      </div>
    </details>
  )
}

/** The fields that are not as in a new scan: of a list how long it is, of the others whether they are on. */
function useWhatIsSet(fields: readonly Name[]): string {
  const { t } = useLingui()
  const { formatNumber: number } = useFormats()
  const { watch } = useFormContext<ScanForm>()
  const usual = newValues()
  const values = watch(fields)
  const set = fields.flatMap((field, i) => {
    const value = values[i]
    const about = aboutField(field).label
    if (!about || value === usual[field]) return []
    const name = t(about)
    const word = typeof value === 'string' ? number(lines(value).length) : value ? t`on` : t`off`
    return [t`${name}: ${word}`]
  })
  if (set.length > 0) return set.join(', ')
  return fields.some((field) => usual[field]) ? t`Defaults` : t`None`
}
