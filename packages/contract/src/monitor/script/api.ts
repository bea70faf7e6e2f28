import * as z from 'zod/mini'
import { defineEndpoints } from '../../kit/endpoint.ts'
import { ScriptId } from '../../kit/id.ts'
import { defaultLimits } from '../../kit/limit.ts'
import { createPageSchema, pagingQuery, queryBoolean, searchTextQuery, sortQuery } from '../../kit/paging.ts'
import { ScriptBody, ScriptName, ScriptSummary, ScriptType, ScriptUpdate, ScriptValidation, StoredScript } from './schema.ts'

const scriptParams = z.object({ id: ScriptId })

export const scriptApi = defineEndpoints({
  validateScript: {
    method: 'POST',
    path: '/scripts/validate',
    permission: 'user',
    summary: 'Whether a text is a valid script, with the positions of its errors',
    body: z.strictObject({ script: z.string().check(z.maxLength(defaultLimits.scriptLength)), allowedScriptType: ScriptType }),
    bodyBytes: 4 * defaultLimits.scriptLength,
    reply: ScriptValidation,
  },
  listScripts: {
    method: 'GET',
    path: '/scripts',
    permission: 'admin.see',
    summary: 'Shared scripts, with the number of scans that use them',
    query: z.object({
      ...pagingQuery,
      shared: z._default(z.optional(queryBoolean), true),
      search: searchTextQuery,
      sort: sortQuery(['name', 'type', 'assignedScanCount', 'updatedAt']),
    }),
    reply: createPageSchema(ScriptSummary),
  },
  listScriptNames: {
    method: 'GET',
    path: '/scripts/names',
    permission: 'user',
    summary: 'Shared scripts by name, to choose from',
    query: z.object({ shared: z._default(z.optional(queryBoolean), true), type: z.optional(ScriptType) }),
    reply: z.array(ScriptName),
  },
  readScriptSettings: {
    method: 'GET',
    path: '/scripts/{id}/settings',
    permission: 'admin.see',
    summary: 'One shared script, without the values of its variables',
    params: scriptParams,
    reply: StoredScript,
  },
  createScript: {
    method: 'POST',
    path: '/scripts',
    permission: 'admin',
    summary: 'Creates a shared script',
    body: ScriptBody,
    bodyBytes: 4 * defaultLimits.scriptLength,
    reply: StoredScript,
    status: 201,
    problems: ['name-taken'],
  },
  updateScript: {
    method: 'PUT',
    path: '/scripts/{id}',
    permission: 'admin',
    summary: 'Changes a shared script; scans use the change from their next run on',
    params: scriptParams,
    body: ScriptUpdate,
    bodyBytes: 4 * defaultLimits.scriptLength,
    reply: StoredScript,
    problems: ['name-taken', 'edit-conflict', 'in-use'],
  },
  deleteScript: {
    method: 'DELETE',
    path: '/scripts/{id}',
    permission: 'admin',
    summary: 'Deletes a shared script that no scan uses',
    params: scriptParams,
    reply: { empty: true },
    status: 204,
    problems: ['in-use'],
  },
})
