import * as z from 'zod/mini'
import { Instant } from '../../kit/time.ts'

/** Somebody as others see him. */
export const Colleague = z.object({
  id: z.string(),
  username: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.nullable(z.string()),
})
export type Colleague = z.output<typeof Colleague>

/** The caller's account. `agreedAt` is null until the terms were agreed to. */
export const Member = z.extend(Colleague, {
  agreedAt: z.nullable(Instant),
  /** The teams that he is in. */
  teams: z.array(z.object({ id: z.string(), name: z.string() })),
})
export type Member = z.output<typeof Member>
