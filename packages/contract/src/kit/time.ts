import * as z from 'zod/mini'
import { mostCounted } from './count.ts'

/** A moment, ISO 8601 in UTC. */
export const Instant = z.iso.datetime()
/** A length of time in whole milliseconds. */
export const Milliseconds = z.int().check(z.nonnegative(), z.maximum(mostCounted))
