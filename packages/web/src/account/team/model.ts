import * as z from 'zod/mini'
import { listSearch, sortParam } from '../../kit/list/search.ts'

export const TeamSearch = z.object({ ...listSearch, sort: sortParam(['name', 'memberCount', 'createdAt'], 'name,asc') })
export type TeamSearch = z.output<typeof TeamSearch>
export const teamSearchDefaults = z.parse(TeamSearch, {})
