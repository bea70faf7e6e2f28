import { useLingui } from '@lingui/react/macro'
import { fieldErrorText } from '../client/problem-text.ts'
import { fieldNamed, place } from '../client/refusal.ts'

/**
 * For a form of one field: what the server refused of the values that are in it, as a sentence; undefined when the error
 * is about something else.
 */
export function useRefusal(): (error: unknown, values: readonly string[]) => string | undefined {
  const { t } = useLingui()
  return (error, values) =>
    place(error, ({ path, code, params }) =>
      fieldNamed(values, path) === null ? null : t(fieldErrorText(code, params)),
    ).faults[0]
}
