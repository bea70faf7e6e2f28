import type { previewApi } from '@clearway/contract/monitor/run/preview/api.ts'
import type { Handlers } from '../../../kit/http/answer.ts'
import { streamDryRun, streamPreview, reachUrl, testScope, type PreviewDeps } from './service.ts'

/** HTTP handlers for previews, tests and dry runs. */
export const previewHandlers = (deps: PreviewDeps): Handlers<typeof previewApi> => ({
  previewScope: ({ body }, { caller }) => streamPreview(deps, caller!, body),
  testScope: ({ body }, { caller }) => testScope(deps, caller!, body),
  reachUrl: ({ body }, { caller, signal }) => reachUrl(deps, { caller: caller!, signal }, body),
  dryRunScript: ({ body }, { caller }) => streamDryRun(deps, caller!, body),
})
