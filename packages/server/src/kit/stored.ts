import * as z from 'zod/mini'

/** A row whose JSON is not what its schema says: written by hand, or damaged. The message says which, and what in it. */
export class StoredDataError extends Error {}

/**
 * JSON of the database by its schema: what was stored before a field came has its default.
 * @param where names the row, for the message
 * @throws StoredDataError
 */
export function readStored<T extends z.ZodMiniType>(schema: T, value: unknown, where: string): z.output<T> {
  const read = z.safeParse(schema, value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new StoredDataError(`${where} cannot be read: ${issue?.path.join('.')}: ${issue?.message}`)
}

/** As `readStored`, but null for what cannot be read: for a row that only adds to another one. */
export function readIfSound<T extends z.ZodMiniType>(schema: T, value: unknown): z.output<T> | null {
  const read = z.safeParse(schema, value)
  return read.success ? read.data : null
}
