import * as z from 'zod/mini'
import { maxCount } from './count.ts'

/** A point in time, ISO 8601 in UTC. */
export const Instant = z.iso.datetime()
/** A duration in whole milliseconds. */
export const Milliseconds = z.int().check(z.nonnegative(), z.maximum(maxCount))
