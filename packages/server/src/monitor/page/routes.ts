import type { pageApi } from '@clearway/contract/monitor/page/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import { type BlobDeps, contentFor, pageFor, pagesFor, pictureFor, viewFor, viewsFor } from './service.ts'
import { exportPages, removePage, removePages, selectedPageCount } from './bulk/service.ts'

export const pageHandlers = (deps: BlobDeps): Handlers<typeof pageApi> => ({
  listPages: ({ query }, { caller }) => pagesFor(deps, caller!, query),
  readPage: ({ params }) => pageFor(deps, params.id),
  readPageContent: ({ params }) => contentFor(deps, params.id),
  readPagePicture: ({ params }) => pictureFor(deps, params.id),
  readPageViews: ({ params }) => viewsFor(deps, params.id),
  readPageView: ({ params }) => viewFor(deps, params.id, params.number),
  deletePage: ({ params }, { caller }) => removePage(deps, caller!, params.id),
  countSelectedPages: ({ body }, { caller }) => selectedPageCount(deps, caller!, body),
  deletePages: ({ body }, { caller }) => removePages(deps, caller!, body),
  exportPagesJson: ({ body }, { caller }) => exportPages(deps, caller!, body, 'json'),
  exportPagesCsv: ({ body }, { caller }) => exportPages(deps, caller!, body, 'csv'),
  exportPagesXlsx: ({ body }, { caller }) => exportPages(deps, caller!, body, 'xlsx'),
})
