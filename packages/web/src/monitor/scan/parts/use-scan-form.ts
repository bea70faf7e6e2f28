import { useLingui } from '@lingui/react/macro'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import type { StoredScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { useForm } from 'react-hook-form'
import type { FieldErrors, UseFormReturn } from 'react-hook-form'
import { ApiError } from '../../../kit/client.ts'
import { fieldErrorText } from '../../../kit/problem-text.ts'
import type { ScanForm } from './form-model.ts'
import { fieldOf, formErrors, toForm, toSettings } from './form-model.ts'

type Problem = Pick<FieldError, 'path' | 'code' | 'params'>
export type Outcome = { kind: 'sent' } | { kind: 'refused' } | { kind: 'failed'; error: unknown }
export type ScanFormState = {
  form: UseFormReturn<ScanForm>
  /** Sends the settings; what the server finds wrong lands at its field. */
  send: (
    values: ScanForm,
    save: (settings: ReturnType<typeof toSettings>) => Promise<unknown>,
  ) => Promise<Outcome>
}

/** The form of a scan's settings, checked by the same schema as on the server, first when a field is left. */
export function useScanForm(stored: StoredScanSettings | null, url: string): ScanFormState {
  const { t } = useLingui()
  const before = stored?.settings ?? null
  // Of several addresses each wrong one is named.
  const words = ({ path, code, params }: Problem) => {
    const text = t(fieldErrorText(code, params))
    const value = params['value']
    return /\.\d+$/.test(path) && value !== undefined ? `${value} – ${text}` : text
  }
  const collect = (problems: readonly Problem[]): Partial<Record<keyof ScanForm, string>> => {
    const found: Partial<Record<keyof ScanForm, string>> = {}
    for (const problem of problems) {
      const field = fieldOf(problem.path)
      if (field) found[field] = [found[field], words(problem)].filter(Boolean).join(' ')
    }
    return found
  }
  const form = useForm<ScanForm>({
    defaultValues: toForm(before, url),
    mode: 'onBlur',
    // An error that comes or goes on the press of a button moves the button from under the pointer, and the click is
    // lost: so it goes while one types, and comes after the press.
    reValidateMode: 'onChange',
    delayError: 400,
    // The summary above the form gets the focus; it leads to each field.
    shouldFocusError: false,
    resolver: (values) => {
      const found = Object.entries(collect(formErrors(values, before)))
      if (found.length === 0) return { values, errors: {} }
      const errors = Object.fromEntries(found.map(([field, message]) => [field, { type: 'value', message }]))
      return { values: {}, errors: errors as FieldErrors<ScanForm> }
    },
  })
  const send: ScanFormState['send'] = async (values, save) => {
    try {
      await save(toSettings(values, before))
      return { kind: 'sent' }
    } catch (error) {
      const problem = error instanceof ApiError ? error.problem : null
      const named: Problem[] =
        problem?.code === 'name-taken' ? [{ path: 'name', code: 'name-taken', params: {} }] : []
      const found = Object.entries(collect(problem?.errors?.length ? problem.errors : named))
      for (const [field, message] of found)
        form.setError(field as keyof ScanForm, { type: 'server', message })
      return found.length > 0 ? { kind: 'refused' } : { kind: 'failed', error }
    }
  }
  return { form, send }
}
