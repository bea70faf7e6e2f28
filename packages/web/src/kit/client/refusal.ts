import type { FieldError } from '@clearway/contract/kit/problem.ts'
import { ApiError } from './client.ts'

/** What the server refused, value by value. A name that is taken is the value `name`, where nothing says more. */
export function refusedOf(error: unknown): readonly FieldError[] {
  const problem = error instanceof ApiError ? error.problem : null
  if (problem?.errors?.length) return problem.errors
  return problem?.code === 'name-taken' ? [{ path: 'name', code: 'name-taken', params: {} }] : []
}

/** Whether somebody else saved meanwhile. */
export const isConflict = (error: unknown): boolean =>
  error instanceof ApiError && error.problem?.code === 'edit-conflict'

export type Placed<F> = {
  /** What belongs to a field of the form. */
  faults: F[]
  /** The error with all that belongs to none; null when nothing is left of it. */
  rest: unknown
}

/** Puts each refused value at its field: `at` answers null for one that the form has no field for. */
export function place<F>(error: unknown, at: (refused: FieldError) => F | null): Placed<F> {
  const faults: F[] = []
  const left = refusedOf(error).filter((refused) => {
    const fault = at(refused)
    if (fault !== null) faults.push(fault)
    return fault === null
  })
  if (faults.length === 0) return { faults, rest: error }
  const problem = error instanceof ApiError ? error.problem : null
  if (left.length === 0 || !problem) return { faults, rest: null }
  return { faults, rest: new ApiError(problem.status, { ...problem, errors: left }) }
}

/** Which of a form's fields a path of the request belongs to: `events.0` to `events`. */
export const fieldNamed = <Name extends string>(names: readonly Name[], path: string): Name | null =>
  names.find((name) => path === name || path.startsWith(`${name}.`)) ?? null
