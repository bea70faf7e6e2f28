import { useLingui } from '@lingui/react/macro'
import type { RefObject } from 'react'
import { useRef, useState } from 'react'
import { ApiError } from './client.ts'
import { fieldErrorText } from './problem-text.ts'

export type Faults<Name extends string> = Partial<Record<Name, string>>
type FormFaults<Name extends string> = {
  /** For the form, so that the focus finds the field. */
  form: RefObject<HTMLFormElement | null>
  faults: Faults<Name>
  /** Shows what was found, at its fields; whether there is anything. The first of them gets the focus. */
  show: (found: Faults<Name>) => boolean
  /** Shows what the server refused at its fields; when none of them is to blame, as the failure. */
  refuse: (error: unknown) => void
  /** Why the last attempt failed, when that belongs to no field; null for nothing. */
  failure: unknown
}

/** What is wrong with the fields of a form of a few fields. */
export function useFaults<Name extends string>(names: readonly Name[]): FormFaults<Name> {
  const { t } = useLingui()
  const form = useRef<HTMLFormElement>(null)
  const [faults, setFaults] = useState<Faults<Name>>({})
  const [failure, setFailure] = useState<unknown>(null)
  const show = (found: Faults<Name>) => {
    setFailure(null)
    setFaults(found)
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
    return Object.keys(found).length > 0
  }
  const refuse = (error: unknown) => {
    const refused = error instanceof ApiError ? (error.problem?.errors ?? []) : []
    const found: Faults<Name> = {}
    for (const { path, code, params } of refused) {
      const name = names.find((one) => path === one || path.startsWith(`${one}.`))
      if (name) found[name] = t(fieldErrorText(code, params))
    }
    if (!show(found)) setFailure(error)
  }
  return { form, faults, show, refuse, failure }
}
