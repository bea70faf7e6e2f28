import type { ReactNode, RefObject } from 'react'
import { Button } from '../control/button.tsx'
import layout from '../page/layout.module.css'
import { SaveFailure } from './save-failure.tsx'
import { ErrorCard } from '../page/states.tsx'

type CardFormProps = {
  /** `form` and `failure` come from `useFormFaults`: the focus moves to the invalid field; `failure` belongs to no field. */
  formRef: RefObject<HTMLFormElement | null>
  submitFailure: unknown
  failureTitle: string
  /** Overwrites a concurrent change by another user. */
  onOverwrite?: () => void
  submitLabel: string
  pending: boolean
  onSubmit: () => void
  header: ReactNode
  children: ReactNode
}

/** Card with a short form. Ignores submits while one is pending. */
export function CardForm({ formRef, submitFailure, failureTitle, submitLabel, pending, onSubmit, ...props }: CardFormProps) {
  const { header, children, onOverwrite } = props
  const submitOnce = () => {
    if (!pending) onSubmit()
  }
  return (
    <form
      ref={formRef}
      noValidate
      className={`${layout.card} ${layout.pad} ${layout.stack}`}
      onSubmit={(event) => {
        event.preventDefault()
        submitOnce()
      }}
    >
      {header}
      {submitFailure !== null &&
        (onOverwrite ? (
          <SaveFailure title={failureTitle} error={submitFailure} onRetry={submitOnce} onOverwrite={onOverwrite} />
        ) : (
          <ErrorCard title={failureTitle} error={submitFailure} />
        ))}
      {children}
      <div>
        <Button kind="primary" type="submit" pending={pending}>
          {submitLabel}
        </Button>
      </div>
    </form>
  )
}
