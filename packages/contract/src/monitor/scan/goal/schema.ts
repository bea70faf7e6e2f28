import * as z from 'zod/mini'
import { Instant } from '../../../kit/time.ts'

/** A calendar day, without a time zone. */
const Day = z.iso.date().check(z.regex(/^2[01]\d\d-/))
export const goalDays = { min: '2000-01-01', max: '2199-12-31' }

export const ScoreTarget = z.strictObject({ score: z.int().check(z.minimum(1), z.maximum(100)), dueOn: Day })
export type ScoreTarget = z.output<typeof ScoreTarget>

export const maxAnnotationLength = 100
export const maxAnnotations = 500

/** A note about a day that explains the trend, such as a release. */
export const Annotation = z.object({
  id: z.uuid(),
  day: Day,
  text: z.string(),
  /** Name; null for guests and deleted accounts. */
  author: z.nullable(z.string()),
  createdAt: Instant,
})
export type Annotation = z.output<typeof Annotation>
export const AnnotationBody = z.strictObject({
  day: Day,
  text: z.string().check(z.trim(), z.minLength(1), z.maxLength(maxAnnotationLength)),
})

export const ScanGoals = z.object({ target: z.nullable(ScoreTarget), annotations: z.array(Annotation) })
export type ScanGoals = z.output<typeof ScanGoals>
