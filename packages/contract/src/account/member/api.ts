import * as z from 'zod/mini'
import { define } from '../../kit/endpoint.ts'
import { pageOf, paging, searchText } from '../../kit/paging.ts'
import { Colleague, Directory, Member, Person, PersonListQuery } from './schema.ts'

export const memberApi = define({
  me: {
    method: 'GET',
    path: '/axe-account/me',
    permission: 'signed-in',
    summary: "The caller's account",
    reply: Member,
  },
  listMembers: {
    method: 'GET',
    path: '/axe-account/members',
    permission: 'admin.see',
    summary: 'People who have signed in, as candidates for teams',
    query: z.object({ ...paging, search: searchText }),
    reply: pageOf(Colleague),
  },
  listPeople: {
    method: 'GET',
    path: '/axe-account/people',
    permission: 'admin.see',
    summary: 'Everybody with an account, with role, state and teams',
    query: PersonListQuery,
    reply: pageOf(Person),
  },
  readDirectory: {
    method: 'GET',
    path: '/axe-account/directory',
    permission: 'signed-in',
    summary: 'Where people are managed',
    reply: Directory,
  },
})
