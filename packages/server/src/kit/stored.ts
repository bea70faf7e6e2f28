import * as z from 'zod/mini'

/** A row whose JSON is not what its schema says: written by hand, or damaged. The message says which, and what in it. */
export class StoredDataError extends Error {}

/** What a later rule says of a value whose shape is right: too long, too far, not as it is to be written. */
const ruleCodes: ReadonlySet<string> = new Set([
  'too_big',
  'too_small',
  'invalid_format',
  'not_multiple_of',
  'custom',
])

/**
 * A value by the shape of its schema. What only breaks a rule that came after it was stored is taken as it is: it can be
 * read and goes on working, and who saves it next is told.
 */
export function readShape<T extends z.ZodMiniType>(
  schema: T,
  value: unknown,
): { data: z.output<T> } | { issue: Pick<z.core.$ZodIssue, 'path' | 'message'> } {
  const read = z.safeParse(schema, value)
  if (read.success) return { data: read.data }
  const [issue] = read.error.issues
  if (!issue || !read.error.issues.every(({ code }) => ruleCodes.has(code)))
    return { issue: issue ?? { path: [], message: 'unknown' } }
  // With its defaults, and without what is in no field.
  const run = schema._zod.run({ value, issues: [] }, { async: false })
  return run instanceof Promise ? { issue } : { data: run.value as z.output<T> }
}

/**
 * JSON of the database by its schema: what was stored before a field came has its default.
 * @param where names the row, for the message
 * @throws StoredDataError
 */
export function readStored<T extends z.ZodMiniType>(schema: T, value: unknown, where: string): z.output<T> {
  const read = readShape(schema, value)
  if ('data' in read) return read.data
  const { issue } = read
  throw new StoredDataError(`${where} cannot be read: ${issue.path.join('.')}: ${issue.message}`)
}

/** As `readStored`, but null for what cannot be read: for a row that only adds to another one. */
export function readIfSound<T extends z.ZodMiniType>(schema: T, value: unknown): z.output<T> | null {
  const read = z.safeParse(schema, value)
  return read.success ? read.data : null
}
