import type { ReactNode } from 'react'
import { createContext, useContext, useId } from 'react'
import { Icon } from '../control/icon.tsx'
import layout from '../page/layout.module.css'
import styles from './field.module.css'

export type FieldControl = {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': boolean
  className: string
}
type Props = {
  label: string
  hint?: ReactNode
  error?: string | undefined
  /** Shown beside the label: what may be left out is said, not what must be filled in. */
  optional?: string
  width?: 'narrow' | 'full'
  /** Where an error summary leads to; made up when left out. */
  id?: string
  children: (control: FieldControl) => ReactNode
}

/** A label, a hint above the control and the error below it, tied together for readers. */
export function Field({ label, hint, error, optional, width = 'full', id: given, children }: Props) {
  const made = useId()
  const id = given ?? made
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={`${styles.field} ${styles[width]}`}>
      <label htmlFor={id}>
        {label} {optional && <span className={layout.muted}>({optional})</span>}
      </label>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {children({
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': error !== undefined,
        className: styles.control ?? '',
      })}
      {error && <FieldMessage id={`${id}-error`}>{error}</FieldMessage>}
    </div>
  )
}

/** What is wrong with a value, below its control. */
export function FieldMessage({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p id={id} className={styles.error}>
      <Icon name="warning" />
      <span>{children}</span>
    </p>
  )
}

/** The id of the reason why choices are disabled. */
const ReasonId = createContext<string | undefined>(undefined)

/** Choices that would have no effect, for a reason: disabled, and described by it. What was chosen before is kept. */
export function Unavailable({ reason, children }: { reason: string | undefined; children: ReactNode }) {
  const id = useId()
  return (
    <fieldset className={layout.stack} disabled={reason !== undefined}>
      <ReasonId value={reason && id}>{children}</ReasonId>
      {reason && <p id={id}>{reason}</p>}
    </fieldset>
  )
}

type CheckProps = {
  label: string
  hint?: string
  children: (control: { id: string; 'aria-describedby': string | undefined }) => ReactNode
}

/** A tick box or radio with its label and hint beside it. */
export function CheckField({ label, hint, children }: CheckProps) {
  const id = useId()
  const described = [hint && `${id}-hint`, useContext(ReasonId)].filter(Boolean).join(' ')
  return (
    <div className={styles.check}>
      {children({ id, 'aria-describedby': described || undefined })}
      <div>
        <label htmlFor={id}>{label}</label>
        {hint && (
          <p id={`${id}-hint`} className={styles.hint}>
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}
