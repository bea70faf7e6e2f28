import { type ReactNode, createContext, useContext, useId } from 'react'
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
  const describedByIds = [hint && `${fieldId}-hint`, error && `${fieldId}-error`].filter(Boolean).join(' ')
  return (
    <div className={`${styles.field} ${styles[width]}`}>
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
    </div>
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

/** Id of the element that explains why controls are disabled. */
const ReasonIdContext = createContext<string | undefined>(undefined)

/** Disables controls that have no effect and describes them with the reason. Their values are kept. */
export function Unavailable({ reason, children }: { reason: string | undefined; children: ReactNode }) {
  const reasonId = useId()
  return (
    <fieldset className={layout.stack} disabled={reason !== undefined}>
      <ReasonIdContext value={reason && reasonId}>{children}</ReasonIdContext>
      {reason && <p id={reasonId}>{reason}</p>}
    </fieldset>
  )
}

type CheckFieldProps = {
  label: string
  hint?: string
  children: (control: { id: string; 'aria-describedby': string | undefined }) => ReactNode
}

export function CheckField({ label, hint, children }: CheckFieldProps) {
  const controlId = useId()
  const describedByIds = [hint && `${controlId}-hint`, useContext(ReasonIdContext)].filter(Boolean).join(' ')
  return (
    <div className={styles.check}>
      {children({ id: controlId, 'aria-describedby': describedByIds || undefined })}
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
