import * as z from 'zod/mini'
import { NameText } from '../../kit/name.ts'
import { pagingOrAllQuery, queryBoolean, queryList, searchTextQuery, sortByFieldQuery } from '../../kit/paging.ts'
import { Count } from '../../kit/count.ts'
import { Instant } from '../../kit/time.ts'
import { Colleague } from '../member/schema.ts'

const teamName = NameText

export const Team = z.object({ id: z.string(), name: z.string(), memberCount: Count, createdAt: Instant })
export type Team = z.output<typeof Team>

export const TeamWithMembers = z.extend(Team, { members: z.array(Colleague) })
export type TeamWithMembers = z.output<typeof TeamWithMembers>

export const TeamListQuery = z.object({
  ...pagingOrAllQuery,
  search: searchTextQuery,
  ...sortByFieldQuery(['name', 'memberCount', 'createdAt']),
})

/** `all=true` for all teams, otherwise those in `ids` (repeatable or comma-separated). */
export const TeamsByIdsQuery = z.object({
  all: z._default(z.optional(queryBoolean), false),
  // Room for about 380 ids.
  ids: queryList(z.string().check(z.maxLength(14_000))),
  search: searchTextQuery,
})

/** `members` are ids of people who have signed in at least once. */
export const TeamBody = z.strictObject({
  name: teamName,
  members: z._default(z.array(z.string().check(z.minLength(1), z.maxLength(200))).check(z.maxLength(5000)), []),
})
