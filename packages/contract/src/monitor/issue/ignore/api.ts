import * as z from 'zod/mini'
import { defineEndpoints } from '../../../kit/endpoint.ts'
import { ScanId } from '../../../kit/id.ts'
import { createPageSchema } from '../../../kit/paging.ts'
import { Ignore } from '../schema.ts'
import { IgnoreChoices, IgnoreFilter, IgnorePatch, IgnoreQuery, RegisteredIgnore } from './schema.ts'

const scanParams = z.object({ id: ScanId })
const ignoreParams = z.extend(scanParams, { ignore: z.string().check(z.uuid()) })

/** The register of ignored issues, over all scans, and the ignores of one scan. */
export const issueIgnoreApi = defineEndpoints({
  listRegister: {
    method: 'GET',
    path: '/ignores',
    permission: 'user',
    summary: 'Ignored issues and accepted risks of the scans that you may see, by decision, the newest first',
    query: IgnoreQuery,
    reply: createPageSchema(RegisteredIgnore),
  },
  listRegisterChoices: {
    method: 'GET',
    path: '/ignores/choices',
    permission: 'user',
    summary: 'Scans, rules and people of the register, for filters',
    reply: IgnoreChoices,
  },
  exportRegisterCsv: {
    method: 'GET',
    path: '/ignores/export/csv',
    permission: 'user',
    summary: 'The register as CSV, a line for each ignored issue',
    query: IgnoreFilter,
    reply: { blob: 'text/csv' },
  },
  exportRegisterJson: {
    method: 'GET',
    path: '/ignores/export/json',
    permission: 'user',
    summary: 'The register as JSON, an object for each ignored issue',
    query: IgnoreFilter,
    reply: { blob: 'application/json' },
  },
  listIgnores: {
    method: 'GET',
    path: '/scans/{id}/ignores',
    permission: 'scan.discuss',
    summary: 'Ignore rules of a scan, beyond single issues',
    params: scanParams,
    reply: z.object({ content: z.array(Ignore) }),
  },
  updateIgnore: {
    method: 'PATCH',
    path: '/scans/{id}/ignores/{ignore}',
    permission: 'scan.discuss',
    summary: 'Changes the reason of an ignore, or until when it is in force',
    params: ignoreParams,
    body: IgnorePatch,
    reply: RegisteredIgnore,
  },
  deleteIgnore: {
    method: 'DELETE',
    path: '/scans/{id}/ignores/{ignore}',
    permission: 'scan.discuss',
    summary: 'Ends an ignore; the issues that it covered are open again',
    params: ignoreParams,
    reply: { empty: true },
    status: 204,
  },
})
