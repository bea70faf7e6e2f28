import * as z from 'zod/mini'
import { define } from '../../kit/endpoint.ts'
import { ScriptId } from '../../kit/id.ts'
import { defaultLimits } from '../../kit/limit.ts'
import { pageOf, paging, queryBoolean, searchText, sortBy } from '../../kit/paging.ts'
import {
  ScriptBody,
  ScriptName,
  ScriptSummary,
  ScriptType,
  ScriptUpdate,
  ScriptValidation,
  StoredScript,
} from './schema.ts'

const params = z.object({ id: ScriptId })

export const scriptApi = define({
  validateScript: {
    method: 'POST',
    path: '/scripts/validate',
    permission: 'user',
    summary: 'Whether a text is a valid script, with the positions of its errors',
    body: z.strictObject({
      script: z.string().check(z.maxLength(defaultLimits.scriptLength)),
      allowedScriptType: ScriptType,
    }),
    bodyBytes: 4 * defaultLimits.scriptLength,
    reply: ScriptValidation,
  },
  listScripts: {
    method: 'GET',
    path: '/scripts',
    permission: 'admin.see',
    summary: 'Shared scripts, with the number of scans that use them',
    query: z.object({
      ...paging,
      shared: z._default(z.optional(queryBoolean), true),
      search: searchText,
      sort: sortBy(['name', 'type', 'assignedScanCount', 'updatedAt']),
    }),
    reply: pageOf(ScriptSummary),
  },
  listScriptNames: {
    method: 'GET',
    path: '/scripts/names',
    permission: 'user',
    summary: 'Shared scripts by name, to choose from',
    query: z.object({
      shared: z._default(z.optional(queryBoolean), true),
      type: z.optional(ScriptType),
    }),
    reply: z.array(ScriptName),
  },
  readScriptSettings: {
    method: 'GET',
    path: '/scripts/{id}/settings',
    permission: 'admin.see',
    summary: 'One shared script, without the values of its variables',
    params,
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
    params,
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
    params,
    reply: { empty: true },
    status: 204,
    problems: ['in-use'],
  },
})
