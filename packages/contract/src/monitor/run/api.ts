import * as z from 'zod/mini'
import { define } from '../../kit/endpoint.ts'
import { ScanId } from '../../kit/id.ts'
import { pageOf, paging, queryInt } from '../../kit/paging.ts'
import { PageListQuery, PageSummary } from '../page/schema.ts'
import {
  IssueOverview,
  PageOverview,
  RunEvent,
  RunListQuery,
  RunOverview,
  RunStats,
  RunSummary,
  ViolationPage,
  ViolationQuery,
  ViolationRow,
} from './schema.ts'

const scan = z.object({ id: ScanId })
const run = z.object({ id: ScanId, run: queryInt(1, 1_000_000_000) })
const read = { method: 'GET', permission: 'scan.see' } as const

export const runApi = define({
  startRun: {
    method: 'POST',
    path: '/scans/{id}/startRun',
    permission: 'scan.run',
    summary: 'Queues a new run of the scan',
    params: scan,
    reply: RunSummary,
    status: 202,
    problems: ['run-active'],
  },
  cancelRun: {
    method: 'POST',
    path: '/scans/{id}/cancel',
    permission: 'scan.run',
    summary: 'Cancels the active run; what it found so far is kept',
    params: scan,
    reply: RunSummary,
    problems: ['run-not-active'],
  },
  listRuns: {
    ...read,
    path: '/scans/{id}/runs',
    summary: 'Runs of a scan, newest first',
    params: scan,
    query: RunListQuery,
    reply: pageOf(RunSummary),
  },
  runOverview: {
    ...read,
    path: '/scans/{id}/runs/{run}/overview',
    summary: 'One run with its score and what changed',
    params: run,
    reply: RunOverview,
  },
  runIssueOverview: {
    ...read,
    path: '/scans/{id}/runs/{run}/overview/issues',
    summary: 'Issues of a run by impact and status',
    params: run,
    reply: IssueOverview,
  },
  runPageOverview: {
    ...read,
    path: '/scans/{id}/runs/{run}/overview/pages',
    summary: 'Pages of a run by outcome',
    params: run,
    reply: PageOverview,
  },
  runStats: {
    ...read,
    path: '/scans/{id}/runs/{run}/stats',
    summary: 'The trend up to this run',
    params: run,
    reply: RunStats,
  },
  runViolations: {
    ...read,
    path: '/scans/{id}/runs/{run}/violations',
    summary: 'Rules that fail, by what the score would gain',
    params: run,
    query: ViolationQuery,
    reply: pageOf(ViolationRow),
  },
  runViolationPages: {
    ...read,
    path: '/scans/{id}/runs/{run}/violations/{rule}',
    summary: 'The pages on which one rule fails',
    params: z.extend(run, { rule: z.string().check(z.maxLength(200)) }),
    query: z.object(paging),
    reply: pageOf(ViolationPage),
  },
  runPages: {
    ...read,
    path: '/scans/{id}/runs/{run}/pages',
    summary: 'Pages of a run',
    params: run,
    query: PageListQuery,
    reply: pageOf(PageSummary),
  },
  runEvents: {
    ...read,
    path: '/scans/{id}/runs/{run}/events',
    summary: 'Live updates of a run (server-sent events)',
    params: run,
    reply: { events: RunEvent },
  },
})
