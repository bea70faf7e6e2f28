import { memberStates } from '@clearway/contract/account/member/schema.ts'
import * as z from 'zod/mini'
import { withDefault, listSearch, sortParam } from '../../kit/list/search.ts'

export const PeopleSearch = z.object({
  ...listSearch,
  sort: sortParam(['name', 'email', 'role', 'state', 'seenAt'], 'name,asc'),
  /** Empty for all states. */
  state: withDefault(z.union([z.enum(memberStates), z.literal('')]), ''),
})
export type PeopleSearch = z.output<typeof PeopleSearch>
export const peopleSearchDefaults = z.parse(PeopleSearch, {})
