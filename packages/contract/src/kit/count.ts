import * as z from 'zod/mini'

/** Maximum value of a count column in the database. */
export const maxCount = 2 ** 31 - 1

export const Count = z.int().check(z.nonnegative(), z.maximum(maxCount))
