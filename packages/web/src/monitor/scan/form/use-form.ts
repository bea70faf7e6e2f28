import { useLingui } from '@lingui/react/macro'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import { useEffect, useRef } from 'react'
import { set, useForm } from 'react-hook-form'
import type { FieldErrors, FieldPath, UseFormReturn } from 'react-hook-form'
import { ApiError } from '../../../kit/client/client.ts'
import { assignFieldErrors } from '../../../kit/client/refusal.ts'
import { formErrors } from './check.ts'
import type { OpenedAccess, SentSettings, Settings } from './model.ts'
import { settingsOf } from './model.ts'
import { scaleOf } from './setting-controls.ts'
import { fieldOf } from './paths.ts'
import type { ScanForm } from './values.ts'
import { faultText } from './words.ts'

type Problem = Pick<FieldError, 'path' | 'code' | 'params'>
export type Outcome =
  | { kind: 'sent' }
  /** Some of it lands at fields; `rest` belongs to none, null when nothing is left. */
  | { kind: 'refused'; rest: unknown }
  | { kind: 'conflict' }
  | { kind: 'failed'; error: unknown }
/** What the form was opened with: what is stored, and who has access; null for a new scan. */
export type Opened = { settings: Settings; access: OpenedAccess } | null
export type ScanFormState = {
  form: UseFormReturn<ScanForm>
  /** Sends the settings; what the server finds wrong lands at its field. */
  send: (values: ScanForm, save: (settings: SentSettings) => Promise<unknown>) => Promise<Outcome>
}

/** Messages by field, several of one field joined. Of several URLs each wrong one is named. */
function useCollected() {
  const { t } = useLingui()
  const words = (field: string, { path, code, params }: Problem) => {
    const scale = scaleOf(field)
    const inUnits = Object.fromEntries(
      Object.entries(params).map(([key, value]) => [key, typeof value === 'number' ? value / scale : value]),
    )
    const text = t(faultText(field, code, inUnits))
    const value = params['value']
    return /\.\d+$/.test(path) && value !== undefined ? `${value} – ${text}` : text
  }
  return (problems: readonly Problem[], form: ScanForm): Map<string, string> => {
    const found = new Map<string, string>()
    for (const problem of problems) {
      const field = fieldOf(problem.path, form)
      if (field) found.set(field, [found.get(field), words(field, problem)].filter(Boolean).join(' '))
    }
    return found
  }
}

/** The form of a scan's settings, checked by the same schema as on the server, first when a field is left. */
export function useScanForm(values: ScanForm, opened: Opened): ScanFormState {
  const collect = useCollected()
  const stored = useRef(opened)
  useEffect(() => {
    stored.current = opened
  }, [opened])
  const form = useForm<ScanForm>({
    defaultValues: values,
    mode: 'onBlur',
    // An error that comes or goes on the press of a button moves the button from under the pointer, and the click is
    // lost: so it goes while one types, and comes after the press.
    reValidateMode: 'onChange',
    delayError: 400,
    // The summary above the form gets the focus; it leads to each field.
    shouldFocusError: false,
    resolver: async (current) => {
      const found = collect(await formErrors(current, stored.current?.settings ?? null), current)
      if (found.size === 0) return { values: current, errors: {} }
      const errors: FieldErrors<ScanForm> = {}
      for (const [field, message] of found) set(errors, field, { type: 'value', message })
      return { values: {}, errors }
    },
  })
  const send: ScanFormState['send'] = async (current, save) => {
    try {
      await save(settingsOf(current, stored.current?.access ?? null))
      return { kind: 'sent' }
    } catch (error) {
      const problem = error instanceof ApiError ? error.problem : null
      if (problem?.code === 'edit-conflict') return { kind: 'conflict' }
      const { fieldFaults: faults, unassignedError: rest } = assignFieldErrors(error, (refused) => (fieldOf(refused.path, current) ? refused : null))
      for (const [field, message] of collect(faults, current))
        form.setError(field as FieldPath<ScanForm>, { type: 'server', message })
      return faults.length > 0 ? { kind: 'refused', rest } : { kind: 'failed', error }
    }
  }
  return { form, send }
}

/** The messages of a form's errors by field, in no order. */
export function errorList(errors: FieldErrors<ScanForm>): { field: string; message: string }[] {
  const found: { field: string; message: string }[] = []
  const walk = (value: unknown, path: string) => {
    if (typeof value !== 'object' || value === null) return
    const { type, message } = value as { type?: unknown; message?: unknown }
    // A field of ours may be called "type", too: then there is no message beside it.
    if (typeof type === 'string' && typeof message === 'string') found.push({ field: path, message })
    else
      for (const [key, inner] of Object.entries(value))
        if (key !== 'ref') walk(inner, path === '' ? key : `${path}.${key}`)
  }
  walk(errors, '')
  return found
}
