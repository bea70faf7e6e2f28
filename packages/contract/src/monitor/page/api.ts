import * as z from 'zod/mini'
import { defineEndpoints } from '../../kit/endpoint.ts'
import { PageId } from '../../kit/id.ts'
import { createPageSchema } from '../../kit/paging.ts'
import { BulkResult } from '../../kit/selection.ts'
import { Count } from '../../kit/count.ts'
import { PageDetail, PageFolder, PageFolderQuery, PageListQuery, PageSummary, PageTemplate, PageView } from './schema.ts'
import { PageSelection } from './bulk/schema.ts'

const pageParams = z.object({ id: PageId })
const exportEndpoint = { method: 'POST', permission: 'user', body: PageSelection } as const

export const pageApi = defineEndpoints({
  listPages: {
    method: 'GET',
    path: '/pages',
    permission: 'list',
    summary: 'Pages of the scans that you may see',
    query: PageListQuery,
    reply: createPageSchema(PageSummary),
  },
  listPageFolders: {
    method: 'GET',
    path: '/pages/folders',
    permission: 'list',
    summary: 'Folders of the pages of the scans that you may see, level by level, each with its score',
    query: PageFolderQuery,
    reply: createPageSchema(PageFolder),
  },
  listPageTemplates: {
    method: 'GET',
    path: '/pages/templates',
    permission: 'list',
    summary: 'Tested pages of one folder of the scans that you may see, by their structure, each with its score',
    query: PageFolderQuery,
    reply: createPageSchema(PageTemplate),
  },
  readPage: {
    method: 'GET',
    path: '/pages/{id}',
    permission: 'scan.see',
    summary: 'One page',
    params: pageParams,
    reply: PageDetail,
  },
  readPageContent: {
    method: 'GET',
    path: '/pages/{id}/content',
    permission: 'scan.see',
    summary: 'HTML of the page as it was analyzed',
    params: pageParams,
    reply: { blob: 'text/plain' },
  },
  readPageViews: {
    method: 'GET',
    path: '/pages/{id}/views',
    permission: 'scan.see',
    summary: 'Screenshots of a page, and where its open issues are in them',
    params: pageParams,
    reply: z.object({ content: z.array(PageView) }),
  },
  readPageView: {
    method: 'GET',
    path: '/pages/{id}/views/{number}',
    permission: 'scan.see',
    summary: 'One screenshot of a page, numbered from 1 at the top, or one page of a PDF, as PNG',
    params: z.extend(pageParams, { number: z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1000)) }),
    reply: { blob: 'image/jpeg' },
  },
  readPagePicture: {
    method: 'GET',
    path: '/pages/{id}/picture',
    // The screenshot may contain typed values, so guests and viewers must not see it.
    permission: 'scan.run',
    summary: 'Screenshot of the page when a script step failed',
    params: pageParams,
    reply: { blob: 'image/jpeg' },
  },
  deletePage: {
    method: 'DELETE',
    path: '/pages/{id}',
    permission: 'scan.curate',
    summary: 'Deletes a page of a run with its issues in that run',
    params: pageParams,
    reply: { empty: true },
    status: 204,
    problems: ['run-active'],
  },
  countSelectedPages: {
    method: 'POST',
    path: '/bulk/pages/getSelectedPagesCount',
    permission: 'list',
    summary: 'Number of selected pages',
    body: PageSelection,
    reply: z.object({ count: Count }),
  },
  deletePages: {
    method: 'POST',
    path: '/bulk/pages/delete',
    permission: 'user',
    summary: 'Deletes many pages of ended runs',
    body: PageSelection,
    reply: BulkResult,
  },
  exportPagesJson: {
    ...exportEndpoint,
    path: '/bulk/pages/export/json',
    summary: 'Pages as JSON; its schema is PageExport',
    reply: { blob: 'application/json' },
  },
  exportPagesCsv: { ...exportEndpoint, path: '/bulk/pages/export/csv', summary: 'Pages as CSV', reply: { blob: 'text/csv' } },
  exportPagesXlsx: {
    ...exportEndpoint,
    path: '/bulk/pages/export/xlsx',
    summary: 'Pages as an Excel workbook',
    reply: { blob: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
  },
})
