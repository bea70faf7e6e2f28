import * as z from 'zod/mini'
import { listSearch, sortParam } from '../../kit/list/search.ts'

export const ScriptSearch = z.object({
  ...listSearch,
  sort: sortParam(['name', 'type', 'assignedScanCount', 'updatedAt'], 'name,asc'),
})
export type ScriptSearch = z.output<typeof ScriptSearch>
export const scriptSearchDefaults = z.parse(ScriptSearch, {})
