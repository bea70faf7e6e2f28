import type { FieldError } from '@clearway/contract/kit/problem.ts'

/** True if PostgreSQL can store the text: it accepts neither NUL nor lone surrogates. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** Finds texts that the database cannot store; returns an error with the path of each. A schema has bounded the value's depth. */
export function findTextErrors(value: unknown, path: readonly string[] = []): FieldError[] {
  if (typeof value === 'string') return isStorable(value) ? [] : [{ path: path.join('.'), code: 'wrong-format', params: {} }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => findTextErrors(item, [...path, key]))
}
