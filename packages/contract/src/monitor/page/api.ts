import * as z from 'zod/mini'
import { define } from '../../kit/endpoint.ts'
import { PageId } from '../../kit/id.ts'
import { pageOf } from '../../kit/paging.ts'
import { PageDetail, PageListQuery, PageSummary } from './schema.ts'

const params = z.object({ id: PageId })

export const pageApi = define({
  listPages: {
    method: 'GET',
    path: '/pages',
    permission: 'list',
    summary: 'Pages of the scans that you may see',
    query: PageListQuery,
    reply: pageOf(PageSummary),
  },
  readPage: {
    method: 'GET',
    path: '/pages/{id}',
    permission: 'scan.see',
    summary: 'One page',
    params,
    reply: PageDetail,
  },
  readPageContent: {
    method: 'GET',
    path: '/pages/{id}/content',
    permission: 'scan.see',
    summary: 'The HTML of the page as it was analysed',
    params,
    reply: { blob: 'text/plain' },
  },
})
