import * as z from 'zod/mini'
import { listSearch, sortSearch } from '../../kit/list/search.ts'

/** The list of teams as the address bar keeps it. */
export const TeamSearch = z.object({
  ...listSearch,
  sort: sortSearch(['name', 'memberCount', 'createdAt'], 'name,asc'),
})
export type TeamSearch = z.output<typeof TeamSearch>
export const teamSearchDefaults = z.parse(TeamSearch, {})
