import * as z from 'zod/mini'
import { defineEndpoints } from '../../kit/endpoint.ts'
import { createPageSchema, pagingQuery, searchTextQuery } from '../../kit/paging.ts'
import { Colleague, Directory, Member, Person, PersonListQuery } from './schema.ts'

export const memberApi = defineEndpoints({
  me: { method: 'GET', path: '/axe-account/me', permission: 'signed-in', summary: "The caller's account", reply: Member },
  listMembers: {
    method: 'GET',
    path: '/axe-account/members',
    permission: 'admin.see',
    summary: 'People who have signed in, as candidates for teams',
    query: z.object({ ...pagingQuery, search: searchTextQuery }),
    reply: createPageSchema(Colleague),
  },
  listPeople: {
    method: 'GET',
    path: '/axe-account/people',
    permission: 'admin.see',
    summary: 'All users with an account, with role, state and teams',
    query: PersonListQuery,
    reply: createPageSchema(Person),
  },
  readDirectory: {
    method: 'GET',
    path: '/axe-account/directory',
    permission: 'signed-in',
    summary: 'Where people are managed',
    reply: Directory,
  },
})
