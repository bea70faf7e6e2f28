import { useLingui } from '@lingui/react/macro'
import { getFieldErrorMessage } from '../client/problem-text.ts'
import { findFieldName, assignFieldErrors } from '../client/field-errors.ts'

/** For a form with one field: returns the server's error for the given values; undefined if it concerns something else. */
export function useServerErrorText(): (error: unknown, values: readonly string[]) => string | undefined {
  const { t } = useLingui()
  return (error, values) =>
    assignFieldErrors(error, ({ path, code, params }) =>
      findFieldName(values, path) === null ? null : t(getFieldErrorMessage(code, params)),
    ).fieldFaults[0]
}
