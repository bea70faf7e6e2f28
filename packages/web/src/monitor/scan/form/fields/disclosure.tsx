import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useEffect, useId, useRef } from 'react'
import { get, useFormContext } from 'react-hook-form'
import field from '../../../../kit/form/field.module.css'
import { Icon } from '../../../../kit/control/icon.tsx'
import layout from '../../../../kit/page/layout.module.css'
import { useFormats } from '../../../../kit/text/format.ts'
import { type FormField, getFieldInfo } from '../field-table.ts'
import { createNewValues } from '../model.ts'
import { getUnitScale } from '../setting-controls.ts'
import type { ScanForm } from '../values.ts'
import styles from './fields.module.css'

type DisclosureProps = {
  label: string
  hint?: string | undefined
  fields: readonly FormField[]
  children: ReactNode
}

/** Rarely needed fields. Shows a summary of their values while closed; an error opens it. */
export function Disclosure({ label, hint, fields, children }: DisclosureProps) {
  const { t } = useLingui()
  const detailsId = useId()
  const { formState } = useFormContext<ScanForm>()
  const hasError = fields.some((name) => get(formState.errors, name) !== undefined)
  const detailsRef = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    if (hasError && detailsRef.current) detailsRef.current.open = true
  }, [hasError])
  const valueSummary = useValueSummary(fields)
  return (
    <details ref={detailsRef} className={styles.folded}>
      <summary>
        <span className={styles.said}>
          <span className={field.legend}>{label}</span>{' '}
          {hasError && (
            <span className={field.error}>
              <Icon name="warning" />
              {t`Needs a fix`}
            </span>
          )}{' '}
          <span className={`${layout.sm} ${layout.muted}`}>{valueSummary}</span>
        </span>
      </summary>
      <div role="group" aria-label={label} aria-describedby={hint && detailsId} className={styles.question}>
        {hint && (
          <p id={detailsId} className={field.hint}>
            {hint}
          </p>
        )}
        {children}
      </div>
    </details>
  )
}

/** Summarizes fields that differ from a new scan: the length of lists, and on or off for other fields. */
function useValueSummary(fields: readonly FormField[]): string {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const { watch } = useFormContext<ScanForm>()
  const defaultValues = createNewValues()
  const currentValues: readonly unknown[] = watch(fields)
  const isEmpty = (value: unknown) => !value || (Array.isArray(value) && value.length === 0)
  const changedSummaries = fields.flatMap((field, index) => {
    const currentValue = currentValues[index]
    const fieldLabel = getFieldInfo(field).label
    if (!fieldLabel || JSON.stringify(currentValue) === JSON.stringify(get(defaultValues, field))) return []
    const labelText = t(fieldLabel)
    const valueText = Array.isArray(currentValue)
      ? formatNumber(currentValue.length)
      : typeof currentValue === 'number'
        ? formatNumber(currentValue / getUnitScale(field))
        : currentValue
          ? t`on`
          : t`off`
    return [t`${labelText}: ${valueText}`]
  })
  if (changedSummaries.length > 0) return changedSummaries.join(', ')
  return fields.some((field) => !isEmpty(get(defaultValues, field))) ? t`Defaults` : t`None`
}
