import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { type FieldErrors, type FieldPath, set, useForm, type UseFormReturn } from 'react-hook-form'
import { assignFieldErrors } from '../../../kit/client/field-errors.ts'
import { findFormErrors } from './check.ts'
import { useSession } from '../../user/model.ts'
import { type FormProblem, getProblemText } from './fault-text.ts'
import { findFormField, toSettingsPath } from './field-table.ts'
import type { OpenedAccess, StoredScanSettings } from './model.ts'
import type { ScanForm } from './values.ts'

/** Stored settings and access when the form was opened; null for a new scan. */
export type OpenedScan = { settings: StoredScanSettings; access: OpenedAccess } | null
export type ScanFormState = {
  form: UseFormReturn<ScanForm>
  /** Shows the server's errors at their fields. Returns the error that belongs to no field; null if there is none. */
  showServerErrors: (error: unknown) => unknown
  /** Shows that another scan has this name, for as long as it is typed. */
  noteCheckedName: (name: string, isTaken: boolean) => void
}

/** Returns a function that collects messages by field. Different messages of one field are joined. */
function useMessageCollector() {
  const { t } = useLingui()
  return (problems: readonly FormProblem[], form: ScanForm): Map<string, string> => {
    const messagesByField = new Map<string, Set<string>>()
    for (const { path, ...problem } of problems) {
      const field = findFormField(path, form)
      if (field === null) continue
      const settingsProblem = { ...problem, path: toSettingsPath(path) }
      const message = getProblemText(field, settingsProblem, form, t)
      messagesByField.set(field, (messagesByField.get(field) ?? new Set()).add(message))
    }
    return new Map(Array.from(messagesByField, ([field, messages]) => [field, [...messages].join(' ')]))
  }
}

const takenNameProblem: FormProblem = { path: 'name', code: 'name-taken', params: {} }

/** Form of a scan's settings. Uses the server's schema and first validates on blur. */
export function useScanForm(initialValues: ScanForm, opened: OpenedScan): ScanFormState {
  const { config: appConfig } = useSession()
  const collectMessages = useMessageCollector()
  const takenNamesRef = useRef(new Set<string>())
  const openedRef = useRef(opened)
  useEffect(() => {
    openedRef.current = opened
  }, [opened])
  const scanForm = useForm<ScanForm>({
    defaultValues: initialValues,
    mode: 'onBlur',
    // An error on mousedown would move the button and lose the click: it disappears on typing, and appears after the press.
    reValidateMode: 'onChange',
    delayError: 400,
    // The error summary above the form takes the focus and links to each field.
    shouldFocusError: false,
    resolver: async (currentValues) => {
      const formErrors = await findFormErrors(currentValues, openedRef.current?.settings ?? null, appConfig.limits)
      const nameErrors = takenNamesRef.current.has(currentValues.name) ? [takenNameProblem] : []
      const messagesByField = collectMessages([...formErrors, ...nameErrors], currentValues)
      if (messagesByField.size === 0) return { values: currentValues, errors: {} }
      const fieldErrors: FieldErrors<ScanForm> = {}
      for (const [field, errorMessage] of messagesByField) set(fieldErrors, field, { type: 'value', message: errorMessage })
      return { values: {}, errors: fieldErrors }
    },
  })
  const showServerErrors = (error: unknown): unknown => {
    const currentValues = scanForm.getValues()
    const { fieldFaults, unassignedError } = assignFieldErrors(error, (refused) =>
      findFormField(refused.path, currentValues) ? refused : null,
    )
    for (const [field, errorMessage] of collectMessages(fieldFaults, currentValues))
      scanForm.setError(field as FieldPath<ScanForm>, { type: 'server', message: errorMessage })
    return unassignedError
  }
  const noteCheckedName = (name: string, isTaken: boolean) => {
    const wasTaken = takenNamesRef.current.has(name)
    if (isTaken) takenNamesRef.current.add(name)
    else takenNamesRef.current.delete(name)
    if (isTaken !== wasTaken) void scanForm.trigger('name')
  }
  return { form: scanForm, showServerErrors, noteCheckedName }
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
