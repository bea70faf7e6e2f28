import * as z from 'zod/mini'
import { Instant } from '../../kit/time.ts'

/** The caller's account. `agreedAt` is null until the terms were agreed to. */
export const Member = z.object({
  id: z.string(),
  username: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.nullable(z.string()),
  agreedAt: z.nullable(Instant),
})
export type Member = z.output<typeof Member>
