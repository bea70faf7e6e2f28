import { type ClipboardEvent, type ReactNode, useId, useState } from 'react'
import { useLingui } from '@lingui/react/macro'
import { useFormats } from '../text/format.ts'
import { Icon } from '../control/icon.tsx'
import layout from '../page/layout.module.css'
import styles from './field.module.css'

export type FieldControl = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean; className: string }
type FieldProps = {
  label: string
  hint?: ReactNode
  error?: string | undefined
  /** Marks optional fields next to the label; required fields have no mark. */
  optional?: string
  width?: 'narrow' | 'full'
  /** Target of links in the error summary; generated if omitted. */
  id?: string
  children: (control: FieldControl) => ReactNode
}

/** Connects a label, a hint above the control and the error below it for screen readers. */
export function Field({ label, hint, error, optional, width = 'full', id: givenId, children }: FieldProps) {
  const generatedId = useId()
  const fieldId = givenId ?? generatedId
  const [cutLength, setCutLength] = useState<number | null>(null)
  const describedByIds = [hint && `${fieldId}-hint`, error && `${fieldId}-error`].filter(Boolean).join(' ')
  return (
    <div
      className={`${styles.field} ${styles[width]}`}
      onPaste={(event) => setCutLength(findCutLength(event))}
      onBlur={() => setCutLength(null)}
    >
      <label htmlFor={fieldId}>
        {label} {optional && <span className={layout.muted}>({optional})</span>}
      </label>
      {hint && (
        <p id={`${fieldId}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {children({
        id: fieldId,
        'aria-describedby': describedByIds || undefined,
        'aria-invalid': error !== undefined,
        className: styles.control ?? '',
      })}
      {error && <FieldMessage id={`${fieldId}-error`}>{error}</FieldMessage>}
      {cutLength !== null && <CutMessage maxLength={cutLength} />}
    </div>
  )
}

/** Returns the maximum length of a field if a pasted text does not fit into it; else null. The browser cuts it silently. */
function findCutLength({ target, clipboardData }: ClipboardEvent): number | null {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) || target.maxLength < 0) return null
  const pastedText = clipboardData.getData('text')
  const insertedLength = (target instanceof HTMLInputElement ? pastedText.replaceAll(/[\r\n]/g, '') : pastedText).length
  // Fields for addresses have no selection to read.
  const selectedLength = (target.selectionEnd ?? 0) - (target.selectionStart ?? 0)
  return target.value.length - selectedLength + insertedLength > target.maxLength ? target.maxLength : null
}

function CutMessage({ maxLength }: { maxLength: number }) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  return (
    <p role="alert" className={styles.hint}>
      {t`The pasted text was cut: this field holds ${formatNumber(maxLength)} characters.`}
    </p>
  )
}

export function FieldMessage({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p id={id} className={styles.error}>
      <Icon name="warning" />
      <span>{children}</span>
    </p>
  )
}

type CheckFieldProps = {
  label: string
  hint?: string
  children: (control: { id: string; 'aria-describedby': string | undefined }) => ReactNode
}

export function CheckField({ label, hint, children }: CheckFieldProps) {
  const controlId = useId()
  return (
    <div className={styles.check}>
      {children({ id: controlId, 'aria-describedby': hint ? `${controlId}-hint` : undefined })}
      <div>
        <label htmlFor={controlId}>{label}</label>
        {hint && (
          <p id={`${controlId}-hint`} className={styles.hint}>
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}
