import * as z from 'zod/mini'
import { define } from '../../../kit/endpoint.ts'
import { ScanId } from '../../../kit/id.ts'
import { draftBytes, draftDays, NewDraftQuery, ScanDraft } from './schema.ts'

const params = z.object({ id: ScanId })
const Found = z.object({ draft: z.nullable(ScanDraft) })

/** What a person entered for a scan and has not saved. People see only their own drafts. */
export const scanDraftApi = define({
  readNewDraft: {
    method: 'GET',
    path: '/scans/draft',
    permission: 'scan.create',
    summary: 'Your draft of a new scan, if there is one',
    query: NewDraftQuery,
    reply: Found,
  },
  saveNewDraft: {
    method: 'PUT',
    path: '/scans/draft',
    permission: 'scan.create',
    summary: `Saves your draft of a new scan and replaces the previous one; it is deleted ${draftDays} days after the last change`,
    bodyBytes: draftBytes,
    query: NewDraftQuery,
    body: ScanDraft,
    reply: { empty: true },
    status: 204,
  },
  deleteNewDraft: {
    method: 'DELETE',
    path: '/scans/draft',
    permission: 'scan.create',
    summary: 'Discards your draft of a new scan',
    query: NewDraftQuery,
    reply: { empty: true },
    status: 204,
  },
  readScanDraft: {
    method: 'GET',
    path: '/scans/{id}/draft',
    permission: 'scan.manage',
    summary: 'Your draft of changes to a scan, if there is one',
    params,
    reply: Found,
  },
  saveScanDraft: {
    method: 'PUT',
    path: '/scans/{id}/draft',
    permission: 'scan.manage',
    summary: `Saves your draft of changes to a scan and replaces the previous one; it is deleted ${draftDays} days after the last change`,
    bodyBytes: draftBytes,
    params,
    body: ScanDraft,
    reply: { empty: true },
    status: 204,
  },
  deleteScanDraft: {
    method: 'DELETE',
    path: '/scans/{id}/draft',
    permission: 'scan.manage',
    summary: 'Discards your draft of changes to a scan',
    params,
    reply: { empty: true },
    status: 204,
  },
})
