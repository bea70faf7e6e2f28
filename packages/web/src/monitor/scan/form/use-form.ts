import { useLingui } from '@lingui/react/macro'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import { useEffect, useRef } from 'react'
import { set, useForm } from 'react-hook-form'
import type { FieldErrors, FieldPath, UseFormReturn } from 'react-hook-form'
import { ApiError } from '../../../kit/client/client.ts'
import { assignFieldErrors } from '../../../kit/client/field-errors.ts'
import { findFormErrors } from './check.ts'
import type { OpenedAccess, SentSettings, StoredScanSettings } from './model.ts'
import { toSentSettings } from './model.ts'
import { getUnitScale } from './setting-controls.ts'
import { findFormField } from './paths.ts'
import type { ScanForm } from './values.ts'
import { getFaultText } from './words.ts'

type FormProblem = Pick<FieldError, 'path' | 'code' | 'params'>
export type SendOutcome =
  | { kind: 'sent' }
  /** Some errors belong to fields; `rest` is the remaining error, null if none remains. */
  | { kind: 'refused'; rest: unknown }
  | { kind: 'conflict' }
  | { kind: 'failed'; error: unknown }
/** Stored settings and access when the form was opened; null for a new scan. */
export type OpenedScan = { settings: StoredScanSettings; access: OpenedAccess } | null
export type ScanFormState = {
  form: UseFormReturn<ScanForm>
  /** Saves the settings. Server errors appear at their fields. */
  submitForm: (values: ScanForm, save: (settings: SentSettings) => Promise<unknown>) => Promise<SendOutcome>
}

/**
 * Returns a function that collects messages by field. Messages of one field are joined; of several URLs, each invalid
 * one is named.
 */
function useMessageCollector() {
  const { t } = useLingui()
  const getErrorText = (field: string, { path, code, params }: FormProblem) => {
    const unitScale = getUnitScale(field)
    const scaledParams = Object.fromEntries(
      Object.entries(params).map(([key, value]) => [
        key,
        typeof value === 'number' ? value / unitScale : value,
      ]),
    )
    const errorText = t(getFaultText(field, code, scaledParams))
    const invalidValue = params['value']
    return /\.\d+$/.test(path) && invalidValue !== undefined ? `${invalidValue} – ${errorText}` : errorText
  }
  return (problems: readonly FormProblem[], form: ScanForm): Map<string, string> => {
    const messagesByField = new Map<string, string>()
    for (const problem of problems) {
      const formField = findFormField(problem.path, form)
      if (formField)
        messagesByField.set(
          formField,
          [messagesByField.get(formField), getErrorText(formField, problem)].filter(Boolean).join(' '),
        )
    }
    return messagesByField
  }
}

/** Form of a scan's settings. Uses the server's schema and first validates on blur. */
export function useScanForm(initialValues: ScanForm, opened: OpenedScan): ScanFormState {
  const collectMessages = useMessageCollector()
  const openedRef = useRef(opened)
  useEffect(() => {
    openedRef.current = opened
  }, [opened])
  const scanForm = useForm<ScanForm>({
    defaultValues: initialValues,
    mode: 'onBlur',
    // An error that appears or disappears on mousedown would move the button and lose the click. So errors disappear
    // during typing and appear after the press.
    reValidateMode: 'onChange',
    delayError: 400,
    // The error summary above the form takes the focus and links to each field.
    shouldFocusError: false,
    resolver: async (currentValues) => {
      const messagesByField = collectMessages(
        await findFormErrors(currentValues, openedRef.current?.settings ?? null),
        currentValues,
      )
      if (messagesByField.size === 0) return { values: currentValues, errors: {} }
      const fieldErrors: FieldErrors<ScanForm> = {}
      for (const [field, errorMessage] of messagesByField)
        set(fieldErrors, field, { type: 'value', message: errorMessage })
      return { values: {}, errors: fieldErrors }
    },
  })
  const submitForm: ScanFormState['submitForm'] = async (currentValues, save) => {
    try {
      await save(toSentSettings(currentValues, openedRef.current?.access ?? null))
      return { kind: 'sent' }
    } catch (error) {
      const apiProblem = error instanceof ApiError ? error.problem : null
      if (apiProblem?.code === 'edit-conflict') return { kind: 'conflict' }
      const { fieldFaults, unassignedError } = assignFieldErrors(error, (refused) =>
        findFormField(refused.path, currentValues) ? refused : null,
      )
      for (const [field, errorMessage] of collectMessages(fieldFaults, currentValues))
        scanForm.setError(field as FieldPath<ScanForm>, { type: 'server', message: errorMessage })
      return fieldFaults.length > 0 ? { kind: 'refused', rest: unassignedError } : { kind: 'failed', error }
    }
  }
  return { form: scanForm, submitForm }
}

/** Returns the messages of a form's errors by field, unordered. */
export function listErrors(errors: FieldErrors<ScanForm>): { field: string; message: string }[] {
  const listedErrors: { field: string; message: string }[] = []
  const collectErrors = (value: unknown, path: string) => {
    if (typeof value !== 'object' || value === null) return
    const { type: errorType, message: errorMessage } = value as { type?: unknown; message?: unknown }
    // A form field may be named "type"; it then has no message next to it.
    if (typeof errorType === 'string' && typeof errorMessage === 'string')
      listedErrors.push({ field: path, message: errorMessage })
    else
      for (const [key, innerValue] of Object.entries(value))
        if (key !== 'ref') collectErrors(innerValue, path === '' ? key : `${path}.${key}`)
  }
  collectErrors(errors, '')
  return listedErrors
}
