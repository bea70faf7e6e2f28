import type { FieldError } from '@clearway/contract/kit/problem.ts'

/** Whether a text can be stored: PostgreSQL takes neither NUL nor one half of a surrogate pair. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/**
 * The texts in a value that no database can keep, each as an error with its path.
 * The value has passed its schema, which bounds how deep it goes.
 */
export function textErrors(value: unknown, path: readonly string[] = []): FieldError[] {
  if (typeof value === 'string')
    return isStorable(value) ? [] : [{ path: path.join('.'), code: 'wrong-format', params: {} }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => textErrors(item, [...path, key]))
}
