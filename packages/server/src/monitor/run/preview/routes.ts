import type { previewApi } from '@clearway/contract/monitor/run/preview/api.ts'
import type { Handlers } from '../../../kit/http/answer.ts'
import { dryRunFor, previewFor, testFor, type PreviewDeps } from './service.ts'

/** What a run would do, over HTTP. */
export const previewHandlers = (deps: PreviewDeps): Handlers<typeof previewApi> => ({
  previewScope: ({ body }, { caller }) => previewFor(deps, caller!, body),
  testScope: ({ body }, { caller }) => testFor(deps, caller!, body),
  dryRunScript: ({ body }, { caller }) => dryRunFor(deps, caller!, body),
})
