import * as z from 'zod/mini'

/** The most that a column of the database holds. */
export const mostCounted = 2 ** 31 - 1

/** A number of things. */
export const Count = z.int().check(z.nonnegative(), z.maximum(mostCounted))
