import type * as z from 'zod/mini'
import { fieldErrorCodes, type FieldError } from './problem.ts'

type SchemaIssue = z.core.$ZodIssue

const originsWithLength = new Set(['string', 'array', 'set', 'file'])
/** Maps Zod's issue codes to our field error codes. */
const fieldCodesByIssue: {
  readonly [K in NonNullable<SchemaIssue['code']>]?: (issue: never) => FieldError['code']
} = {
  invalid_type: () => 'wrong-type',
  too_small: (issue: { origin: string }) => (originsWithLength.has(issue.origin) ? 'too-short' : 'too-small'),
  too_big: (issue: { origin: string }) => (originsWithLength.has(issue.origin) ? 'too-long' : 'too-big'),
  invalid_format: () => 'wrong-format',
  unrecognized_keys: () => 'unknown-field',
  invalid_value: () => 'unknown-value',
}

/** Returns the error code that a custom check of a schema names. */
function getCustomCode(issue: SchemaIssue): FieldError['code'] {
  const customCode: unknown = issue.code === 'custom' ? issue.params?.['code'] : undefined
  return fieldErrorCodes.find((code) => code === customCode) ?? 'invalid'
}

function getValueAt(rootValue: unknown, path: readonly PropertyKey[]): unknown {
  let currentValue = rootValue
  for (const key of path) currentValue = (currentValue as Record<PropertyKey, unknown> | null | undefined)?.[key]
  return currentValue
}

/** Translates the issues of a schema into field errors, at most 100. `rootValue` is the checked value. */
export function toFieldErrors(rootValue: unknown, issues: readonly SchemaIssue[]): FieldError[] {
  return issues.slice(0, 100).flatMap((issue): FieldError[] => {
    const fieldPath = issue.path.map(String)
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ path: [...fieldPath, key].join('.'), code: 'unknown-field', params: {} }))
    const isMissing = issue.path.length > 0 && getValueAt(rootValue, issue.path) === undefined
    const errorCode = isMissing ? 'required' : (fieldCodesByIssue[issue.code]?.(issue as never) ?? getCustomCode(issue))
    const errorParams: FieldError['params'] = {}
    if (issue.code === 'too_small') errorParams['min'] = Number(issue.minimum)
    if (issue.code === 'too_big') errorParams['max'] = Number(issue.maximum)
    return [{ path: fieldPath.join('.'), code: errorCode, params: errorParams }]
  })
}
