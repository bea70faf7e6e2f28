import * as z from 'zod/mini'
import { Count } from '../../../kit/count.ts'

const Share = z.number().check(z.minimum(0), z.maximum(1))

/** Error of the score of a limited run, and its random pages compared with those that were chosen. */
export const ScoreSample = z.object({
  /** Random pages that are part of the score. */
  pages: Count,
  /** Score of these pages alone. */
  score: Share,
  /** Score of the pages that were chosen to represent the site. */
  chosenScore: Share,
  /** The score of the whole site is within this distance of the score of the run, in nine of ten cases. */
  error: Share,
})
export type ScoreSample = z.output<typeof ScoreSample>
