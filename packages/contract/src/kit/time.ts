import * as z from 'zod/mini'
import { maxCount } from './count.ts'

/** A point in time, ISO 8601 in UTC. */
export const Instant = z.iso.datetime()
export const Milliseconds = z.int().check(z.nonnegative(), z.maximum(maxCount))
