import { defineEndpoints } from '../../../kit/endpoint.ts'
import { SearchQuery, SearchResult } from './schema.ts'

export const searchApi = defineEndpoints({
  searchAll: {
    method: 'GET',
    path: '/search',
    permission: 'list',
    summary: 'Scans, pages, rules and people that you may see, a few of each',
    query: SearchQuery,
    reply: SearchResult,
  },
})
