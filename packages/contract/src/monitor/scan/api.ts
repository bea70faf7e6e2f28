import * as z from 'zod/mini'
import { defineEndpoints } from '../../kit/endpoint.ts'
import { ScanId } from '../../kit/id.ts'
import { createPageSchema, queryBoolean } from '../../kit/paging.ts'
import { ScanListQuery, ScanName, ScanSettings, ScanSummary, ScanUpdate, StoredScanSettings, Validation } from './schema.ts'

const scanParams = z.object({ id: ScanId })

export const scanApi = defineEndpoints({
  listScans: {
    method: 'GET',
    path: '/scans',
    permission: 'list',
    summary: 'Scans that you may see',
    query: ScanListQuery,
    reply: createPageSchema(ScanSummary),
  },
  listScanNames: {
    method: 'GET',
    path: '/scans/names',
    permission: 'list',
    summary: 'All scans that you may see, by name, to choose from',
    reply: z.array(ScanName),
  },
  createScan: {
    method: 'POST',
    path: '/scans',
    permission: 'scan.create',
    summary: 'Creates a scan',
    // Large enough for custom scripts, a keystore and a URL list.
    bodyBytes: 16 * 1024 * 1024,
    body: ScanSettings,
    reply: StoredScanSettings,
    status: 201,
    problems: ['name-taken', 'quota-scans', 'quota-receivers'],
  },
  validateScan: {
    method: 'POST',
    path: '/scans/validate',
    permission: 'user',
    summary: 'Whether a name is free',
    body: z.strictObject({ name: z.string().check(z.maxLength(10_000)), scanId: z.optional(ScanId) }),
    reply: Validation,
  },
  readScan: {
    method: 'GET',
    path: '/scans/{id}',
    permission: 'scan.see',
    summary: 'One scan, as in the list',
    params: scanParams,
    reply: ScanSummary,
  },
  readScanSettings: {
    method: 'GET',
    path: '/scans/{id}/settings',
    permission: 'scan.see',
    summary: 'The settings of a scan',
    params: scanParams,
    reply: StoredScanSettings,
    asStored: true,
  },
  updateScan: {
    method: 'PUT',
    path: '/scans/{id}',
    permission: 'scan.manage',
    summary: 'Replaces the settings of a scan',
    bodyBytes: 16 * 1024 * 1024,
    params: scanParams,
    body: ScanUpdate,
    reply: StoredScanSettings,
    problems: ['name-taken', 'edit-conflict', 'quota-receivers'],
  },
  deleteScan: {
    method: 'DELETE',
    path: '/scans/{id}',
    permission: 'scan.manage',
    summary: 'Deletes a scan with its runs, pages and issues',
    params: scanParams,
    reply: { empty: true },
    status: 204,
  },
  forgetSignOut: {
    method: 'DELETE',
    path: '/scans/{id}/signOutUrls',
    permission: 'scan.manage',
    summary: 'Lets the next runs open a link again that ended the session of a run',
    params: scanParams,
    query: z.object({ pattern: z.string().check(z.minLength(1), z.maxLength(4000)) }),
    reply: { empty: true },
    status: 204,
  },
  declineDriving: {
    method: 'DELETE',
    path: '/scans/{id}/drivingOffer',
    permission: 'scan.manage',
    summary: 'Declines the offer to test the pages of an existing scan by keyboard and mouse, too',
    params: scanParams,
    reply: { empty: true },
    status: 204,
  },
  favoriteScan: {
    method: 'POST',
    path: '/scans/{id}/favorite',
    permission: 'scan.favorite',
    summary: 'Adds a scan to the favorites of the caller, or removes it',
    params: scanParams,
    query: z.object({ status: queryBoolean }),
    reply: ScanSummary,
  },
})
