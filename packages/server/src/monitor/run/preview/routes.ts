import type { previewApi } from '@clearway/contract/monitor/run/preview/api.ts'
import type { Handlers } from '../../../kit/http/answer.ts'
import { dryRunFor, previewFor, reachFor, testFor, type PreviewDeps } from './service.ts'

/** What a run would do, over HTTP. */
export const previewHandlers = (deps: PreviewDeps): Handlers<typeof previewApi> => ({
  previewScope: ({ body }, { caller }) => previewFor(deps, caller!, body),
  testScope: ({ body }, { caller }) => testFor(deps, caller!, body),
  reachUrl: ({ body }, { caller, signal }) => reachFor(deps, { caller: caller!, signal }, body),
  dryRunScript: ({ body }, { caller }) => dryRunFor(deps, caller!, body),
})
