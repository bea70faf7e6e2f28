import * as z from 'zod/mini'

/** A row whose JSON does not match its schema: edited by hand, or damaged. The message names the row and the field. */
export class StoredDataError extends Error {}

/** Issues of values with the right shape that break a rule: too long, out of range, malformed. */
const ruleIssueCodes: ReadonlySet<string> = new Set(['too_big', 'too_small', 'invalid_format', 'not_multiple_of', 'custom'])

/** Parses a value by the shape of its schema. A rule that was added later is enforced when the value is saved again. */
export function parseShape<T extends z.ZodMiniType>(
  schema: T,
  value: unknown,
): { data: z.output<T> } | { issue: Pick<z.core.$ZodIssue, 'path' | 'message'> } {
  const parseResult = z.safeParse(schema, value)
  if (parseResult.success) return { data: parseResult.data }
  const [firstIssue] = parseResult.error.issues
  if (!firstIssue || !parseResult.error.issues.every(({ code }) => ruleIssueCodes.has(code)))
    return { issue: firstIssue ?? { path: [], message: 'unknown' } }
  // Applies defaults and drops unknown fields.
  const schemaRun = schema._zod.run({ value, issues: [] }, { async: false })
  return schemaRun instanceof Promise ? { issue: firstIssue } : { data: schemaRun.value as z.output<T> }
}

/**
 * Parses JSON of the database by its schema; fields added later get their defaults. `rowLabel` names the row in the message.
 * @throws StoredDataError
 */
export function parseStored<T extends z.ZodMiniType>(schema: T, value: unknown, rowLabel: string): z.output<T> {
  const parseResult = parseShape(schema, value)
  if ('data' in parseResult) return parseResult.data
  const { issue: firstIssue } = parseResult
  throw new StoredDataError(`${rowLabel} cannot be read: ${firstIssue.path.join('.')}: ${firstIssue.message}`)
}

/** Like `parseStored`, but null for an invalid value, for rows that only supplement another one. */
export function parseStoredOrNull<T extends z.ZodMiniType>(schema: T, value: unknown): z.output<T> | null {
  const parseResult = z.safeParse(schema, value)
  return parseResult.success ? parseResult.data : null
}

/**
 * Writes JSON for the database, which accepts neither NUL nor lone surrogates in a text; JSON escapes both. A text that only looks
 * like such an escape has two backslashes, and stays.
 */
export const toStoredJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][\da-f]{2})/g, String.raw`$1\ufffd`)
