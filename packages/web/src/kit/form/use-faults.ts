import { useLingui } from '@lingui/react/macro'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import type { RefObject } from 'react'
import { useRef, useState } from 'react'
import { fieldErrorText } from '../client/problem-text.ts'
import { fieldNamed, place } from '../client/refusal.ts'

export type Faults<Name extends string> = Partial<Record<Name, string>>
type FormFaults<Name extends string> = {
  /** For the form, so that the focus finds the field. */
  form: RefObject<HTMLFormElement | null>
  faults: Faults<Name>
  /** Shows what was found, at its fields; whether there is anything. The first of them gets the focus. */
  show: (found: Faults<Name>) => boolean
  /** Shows what the server refused at its fields, and what belongs to none of them as the failure. */
  refuse: (error: unknown) => void
  /** Why the last attempt failed, when that belongs to no field; null for nothing. */
  failure: unknown
}

/** What is wrong with the fields of a form of a few fields. */
export function useFaults<Name extends string>(
  names: readonly Name[],
  /** What a code means for a field of this form, where the usual words do not fit. */
  meaning?: (name: Name, refused: FieldError) => string | undefined,
): FormFaults<Name> {
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
    const { faults: placed, rest } = place(error, (refused) => {
      const name = fieldNamed(names, refused.path)
      if (name === null) return null
      const message = meaning?.(name, refused) ?? t(fieldErrorText(refused.code, refused.params))
      return { name, message }
    })
    const found: Faults<Name> = {}
    for (const { name, message } of placed) found[name] = message
    show(found)
    setFailure(rest)
  }
  return { form, faults, show, refuse, failure }
}
