import * as z from 'zod/mini'
import { defineEndpoints } from '../../../kit/endpoint.ts'
import { ScanId } from '../../../kit/id.ts'
import { maxDraftBytes, draftRetentionDays, NewDraftQuery, ScanDraft } from './schema.ts'

const scanParams = z.object({ id: ScanId })
const DraftReply = z.object({ draft: z.nullable(ScanDraft) })

/** Unsaved form data of a scan. People see only their own drafts. */
export const scanDraftApi = defineEndpoints({
  readNewDraft: {
    method: 'GET',
    path: '/scans/draft',
    permission: 'scan.create',
    summary: 'Your draft of a new scan, if there is one',
    query: NewDraftQuery,
    reply: DraftReply,
  },
  saveNewDraft: {
    method: 'PUT',
    path: '/scans/draft',
    permission: 'scan.create',
    summary: `Saves your draft of a new scan and replaces the previous one; it is deleted ${draftRetentionDays} days after the last change`,
    bodyBytes: maxDraftBytes,
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
    params: scanParams,
    reply: DraftReply,
  },
  saveScanDraft: {
    method: 'PUT',
    path: '/scans/{id}/draft',
    permission: 'scan.manage',
    summary: `Saves your draft of changes to a scan and replaces the previous one; it is deleted ${draftRetentionDays} days after the last change`,
    bodyBytes: maxDraftBytes,
    params: scanParams,
    body: ScanDraft,
    reply: { empty: true },
    status: 204,
  },
  deleteScanDraft: {
    method: 'DELETE',
    path: '/scans/{id}/draft',
    permission: 'scan.manage',
    summary: 'Discards your draft of changes to a scan',
    params: scanParams,
    reply: { empty: true },
    status: 204,
  },
})
