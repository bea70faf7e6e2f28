import * as z from 'zod/mini'
import { listSearch, sortParam } from '../../kit/list/search.ts'

export const GroupSearch = z.object({
  ...listSearch,
  sort: sortParam(['scanGroupName', 'scanCount', 'createdAt'], 'scanGroupName,asc'),
})
export type GroupSearch = z.output<typeof GroupSearch>
export const groupSearchDefaults = z.parse(GroupSearch, {})
