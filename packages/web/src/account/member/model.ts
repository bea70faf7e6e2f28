import { memberStates } from '@clearway/contract/account/member/schema.ts'
import * as z from 'zod/mini'
import { lenient, listSearch, sortSearch } from '../../kit/list/search.ts'

/** The list of people as the address bar keeps it. */
export const PeopleSearch = z.object({
  ...listSearch,
  sort: sortSearch(['name', 'email', 'role', 'state', 'seenAt'], 'name,asc'),
  /** Empty for all. */
  state: lenient(z.union([z.enum(memberStates), z.literal('')]), ''),
})
export type PeopleSearch = z.output<typeof PeopleSearch>
export const peopleSearchDefaults = z.parse(PeopleSearch, {})
