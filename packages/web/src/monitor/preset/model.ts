import * as z from 'zod/mini'
import { listSearch, sortParam } from '../../kit/list/search.ts'

export const PresetSearch = z.object({ ...listSearch, sort: sortParam(['name', 'assignedScanCount', 'updatedAt'], 'name,asc') })
export type PresetSearch = z.output<typeof PresetSearch>
export const presetSearchDefaults = z.parse(PresetSearch, {})
