import type { previewApi } from '@clearway/contract/monitor/run/preview/api.ts'
import type { Handlers } from '../../../kit/http/answer.ts'
import { streamDryRun } from '../dry-run/service.ts'
import type { PreviewDeps } from '../preview-access/service.ts'
import { reachUrl, streamPageButtons, streamPreview, streamSignInTry, testScope } from './service.ts'

export const previewHandlers = (deps: PreviewDeps): Handlers<typeof previewApi> => ({
  previewScope: ({ body }, { caller }) => streamPreview(deps, caller!, body),
  testScope: ({ body }, { caller }) => testScope(deps, caller!, body),
  reachUrl: ({ body }, { caller, signal }) => reachUrl(deps, { caller: caller!, signal }, body),
  trySignIn: ({ body }, { caller }) => streamSignInTry({ deps, caller: caller!, body }),
  listPageButtons: ({ body }, { caller }) => streamPageButtons({ deps, caller: caller!, body }),
  dryRunScript: ({ body }, { caller }) => streamDryRun(deps, caller!, body),
})
