import { useLingui } from '@lingui/react/macro'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import { type RefObject, useRef, useState } from 'react'
import { getFieldErrorMessage } from '../client/problem-text.ts'
import { findFieldName, assignFieldErrors } from '../client/field-errors.ts'

export type FieldMessages<Name extends string> = Partial<Record<Name, string>>
type FormFaultsState<Name extends string> = {
  /** Ref of the form, so that the focus moves to the first invalid field. */
  formRef: RefObject<HTMLFormElement | null>
  faults: FieldMessages<Name>
  /** Shows messages at their fields and focuses the first invalid field. Returns true if there are any. */
  showFaults: (fieldMessages: FieldMessages<Name>) => boolean
  /** Shows the server's errors at their fields. Errors without a field become the failure. */
  showServerErrors: (error: unknown) => void
  /** Error of the last submit that belongs to no field; null if there is none. */
  submitFailure: unknown
}

export function useFormFaults<Name extends string>(
  names: readonly Name[],
  /** Overrides the default message of an error code for a field of this form. */
  getCustomMessage?: (name: Name, refused: FieldError) => string | undefined,
): FormFaultsState<Name> {
  const { t } = useLingui()
  const formRef = useRef<HTMLFormElement>(null)
  const [fieldFaults, setFieldFaults] = useState<FieldMessages<Name>>({})
  const [submitFailure, setSubmitFailure] = useState<unknown>(null)
  const showFaults = (fieldMessages: FieldMessages<Name>) => {
    setSubmitFailure(null)
    setFieldFaults(fieldMessages)
    requestAnimationFrame(() => formRef.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
    return Object.keys(fieldMessages).length > 0
  }
  const showServerErrors = (error: unknown) => {
    const { fieldFaults: assignedFaults, unassignedError } = assignFieldErrors(error, (refused) => {
      const fieldName = findFieldName(names, refused.path)
      if (fieldName === null) return null
      const faultMessage = getCustomMessage?.(fieldName, refused) ?? t(getFieldErrorMessage(refused.code, refused.params))
      return { name: fieldName, message: faultMessage }
    })
    const fieldMessages: FieldMessages<Name> = {}
    for (const { name: fieldName, message } of assignedFaults) fieldMessages[fieldName] = message
    showFaults(fieldMessages)
    setSubmitFailure(unassignedError)
  }
  return { formRef, faults: fieldFaults, showFaults, showServerErrors, submitFailure }
}
