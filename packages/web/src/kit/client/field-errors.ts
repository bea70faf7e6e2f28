import type { FieldError } from '@clearway/contract/kit/problem.ts'
import { ApiError } from './client.ts'

/** Returns the refused values of a request. A `name-taken` problem without details counts as an error of the `name` field. */
export function getFieldErrors(error: unknown): readonly FieldError[] {
  const problem = error instanceof ApiError ? error.problem : null
  if (problem?.errors?.length) return problem.errors
  return problem?.code === 'name-taken' ? [{ path: 'name', code: 'name-taken', params: {} }] : []
}

/** Returns true if the save failed because of a concurrent change by another user. */
export const isEditConflict = (error: unknown): boolean => error instanceof ApiError && error.problem?.code === 'edit-conflict'

export type AssignedErrors<F> = {
  /** Errors that belong to a field of the form. */
  fieldFaults: F[]
  /** The error reduced to values without a form field; null if none remain. */
  unassignedError: unknown
}

/** Assigns each refused value to its form field. `toFault` returns null for values without a field. */
export function assignFieldErrors<F>(error: unknown, toFault: (refused: FieldError) => F | null): AssignedErrors<F> {
  const fieldFaults: F[] = []
  const unassignedErrors = getFieldErrors(error).filter((refused) => {
    const fieldFault = toFault(refused)
    if (fieldFault !== null) fieldFaults.push(fieldFault)
    return fieldFault === null
  })
  if (fieldFaults.length === 0) return { fieldFaults, unassignedError: error }
  const problem = error instanceof ApiError ? error.problem : null
  if (unassignedErrors.length === 0 || !problem) return { fieldFaults, unassignedError: null }
  return { fieldFaults, unassignedError: new ApiError(problem.status, { ...problem, errors: unassignedErrors }) }
}

/** Returns the form field that a request path belongs to: `events.0` belongs to `events`. Null if there is none. */
export const findFieldName = <Name extends string>(names: readonly Name[], path: string): Name | null =>
  names.find((name) => path === name || path.startsWith(`${name}.`)) ?? null
