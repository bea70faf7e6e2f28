import * as z from 'zod/mini'
import { defineEndpoints } from '../../../kit/endpoint.ts'
import { ScanId } from '../../../kit/id.ts'
import { createPageSchema } from '../../../kit/paging.ts'
import { BranchRun, BranchRunBody, BranchRunQuery, BranchRunSummary } from './schema.ts'

const scanParams = z.object({ id: ScanId })
const branchRunParams = z.extend(scanParams, { branchRun: z.string().check(z.uuid()) })

/** Results of gates on branches. They are no runs of the scan: its issues, score, history and schedule do not know them. */
export const branchApi = defineEndpoints({
  createBranchRun: {
    method: 'POST',
    path: '/scans/{id}/branchRuns',
    permission: 'scan.run',
    summary: 'Stores the result of a gate on a branch, apart from the runs of the scan',
    params: scanParams,
    body: BranchRunBody,
    bodyBytes: 16 * 1024 * 1024,
    reply: BranchRunSummary,
    status: 201,
    problems: ['quota-uploads', 'too-large'],
  },
  listBranchRuns: {
    method: 'GET',
    path: '/scans/{id}/branchRuns',
    permission: 'scan.export',
    summary: 'Results of gates on branches, the newest first',
    params: scanParams,
    query: BranchRunQuery,
    reply: createPageSchema(BranchRunSummary),
  },
  readBranchRun: {
    method: 'GET',
    path: '/scans/{id}/branchRuns/{branchRun}',
    permission: 'scan.export',
    summary: 'One result of a gate with its issues',
    params: branchRunParams,
    reply: BranchRun,
  },
  deleteBranchRun: {
    method: 'DELETE',
    path: '/scans/{id}/branchRuns/{branchRun}',
    permission: 'scan.curate',
    summary: 'Removes a result of a gate',
    params: branchRunParams,
    reply: { empty: true },
    status: 204,
  },
})
