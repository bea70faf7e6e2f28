import * as z from 'zod/mini'

/** A moment, ISO 8601 in UTC. */
export const Instant = z.iso.datetime()
/** A length of time in whole milliseconds. */
export const Milliseconds = z.int().check(z.nonnegative(), z.maximum(2 ** 31))
/** A number of things. */
export const Count = z.int().check(z.nonnegative(), z.maximum(2 ** 31))
