import type { pageApi } from '@clearway/contract/monitor/page/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import {
  type BlobDeps,
  getPageContent,
  getPage,
  listVisiblePages,
  listVisibleFolders,
  listVisibleTemplates,
  getPagePicture,
  getPageView,
  getPageViews,
} from './service.ts'
import { exportPages, removePage, removePages, countSelectedPages } from './bulk/service.ts'

export const pageHandlers = (deps: BlobDeps): Handlers<typeof pageApi> => ({
  listPages: ({ query }, { caller }) => listVisiblePages(deps, caller!, query),
  listPageFolders: ({ query }, { caller }) => listVisibleFolders(deps, caller!, query),
  listPageTemplates: ({ query }, { caller }) => listVisibleTemplates(deps, caller!, query),
  readPage: ({ params }) => getPage(deps, params.id),
  readPageContent: ({ params }) => getPageContent(deps, params.id),
  readPagePicture: ({ params }) => getPagePicture(deps, params.id),
  readPageViews: ({ params }) => getPageViews(deps, params.id),
  readPageView: ({ params }) => getPageView(deps, params.id, params.number),
  deletePage: ({ params }, { caller }) => removePage(deps, caller!, params.id),
  countSelectedPages: ({ body }, { caller }) => countSelectedPages(deps, caller!, body),
  deletePages: ({ body }, { caller }) => removePages(deps, caller!, body),
  exportPagesJson: ({ body }, { caller }) => exportPages(deps, caller!, body, 'json'),
  exportPagesCsv: ({ body }, { caller }) => exportPages(deps, caller!, body, 'csv'),
  exportPagesXlsx: ({ body }, { caller }) => exportPages(deps, caller!, body, 'xlsx'),
})
