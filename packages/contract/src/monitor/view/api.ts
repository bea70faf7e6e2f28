import * as z from 'zod/mini'
import { defineEndpoints } from '../../kit/endpoint.ts'
import { ViewId } from '../../kit/id.ts'
import { createPageSchema, pagingQuery } from '../../kit/paging.ts'
import { DefaultView, DefaultViewBody, SavedView, ViewBody, ViewScreen, ViewTeam, ViewUpdate } from './schema.ts'

const viewParams = z.object({ id: ViewId })

/** Saved filters and sort order of a list: personal or shared. */
export const viewApi = defineEndpoints({
  listViews: {
    method: 'GET',
    path: '/views',
    permission: 'user',
    summary: 'Saved views by name: your own, those of your teams, and those for everyone',
    query: z.object({ ...pagingQuery, screen: z.optional(ViewScreen) }),
    reply: createPageSchema(SavedView),
  },
  listViewTeams: {
    method: 'GET',
    path: '/views/teams',
    permission: 'user',
    summary: 'Teams that you can save views for, by name',
    reply: z.array(ViewTeam),
  },
  listDefaultViews: {
    method: 'GET',
    path: '/views/defaults',
    permission: 'user',
    summary: 'Your default views',
    reply: z.array(DefaultView),
  },
  setDefaultView: {
    method: 'PUT',
    path: '/views/defaults',
    permission: 'user',
    summary: 'Sets or removes your default view of a screen',
    body: DefaultViewBody,
    reply: z.array(DefaultView),
  },
  createView: {
    method: 'POST',
    path: '/views',
    permission: 'view.save',
    summary: 'Saves a view; only admins save one for everyone',
    body: ViewBody,
    reply: SavedView,
    status: 201,
    problems: ['name-taken', 'quota-views'],
  },
  updateView: {
    method: 'PUT',
    path: '/views/{id}',
    permission: 'view.save',
    summary: 'Changes a view; only for its author and admins',
    params: viewParams,
    body: ViewUpdate,
    reply: SavedView,
    problems: ['name-taken', 'edit-conflict'],
  },
  deleteView: {
    method: 'DELETE',
    path: '/views/{id}',
    permission: 'view.save',
    summary: 'Deletes a view; only for its author and admins',
    params: viewParams,
    reply: { empty: true },
    status: 204,
  },
})
