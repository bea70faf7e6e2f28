import { defineEndpoints } from '../../../kit/endpoint.ts'
import { defaultLimits } from '../../../kit/limit.ts'
import {
  DryRunBody,
  DryRunEvent,
  PageButtonsEvent,
  PreviewedUrl,
  ReachBody,
  ReachedUrl,
  ScopePreviewBody,
  ScopePreviewEvent,
  ScopeTestBody,
  SignInTryEvent,
} from './schema.ts'

// Large enough for custom scripts, a keystore and a URL list.
const maxBodyBytes = 16 * 1024 * 1024

const previewProblems = ['no-browser', 'too-many-requests', 'quota-tries'] as const
/** Calls that need unsaved settings and a worker. */
const previewEndpoint = {
  method: 'POST',
  permission: 'user',
  body: ScopePreviewBody,
  bodyBytes: maxBodyBytes,
  problems: previewProblems,
} as const

/** Previews of a run. Nothing is stored. */
export const previewApi = defineEndpoints({
  previewScope: {
    ...previewEndpoint,
    path: '/scans/scope-preview',
    summary:
      'Previews the scope: the URLs that a run with these settings would visit or exclude, as they are found (server-sent events); needs the permission to create scans, or to edit the scan `scanId`',
    reply: { events: ScopePreviewEvent },
  },
  testScope: {
    ...previewEndpoint,
    path: '/scans/scope-test',
    summary: 'What a run with these settings would do with one URL, without opening it',
    body: ScopeTestBody,
    reply: PreviewedUrl,
  },
  reachUrl: {
    method: 'POST',
    path: '/scans/reach',
    permission: 'user',
    summary:
      'Checks what answers at a URL, by https, then by http; needs the permission to create scans, or to edit the scan `scanId`',
    body: ReachBody,
    reply: ReachedUrl,
    problems: ['too-many-requests'],
  },
  trySignIn: {
    ...previewEndpoint,
    path: '/scans/sign-in-try',
    summary:
      'Signs in like a run and opens the start page without and with the session; sends passwords once, analyzes nothing (server-sent events)',
    reply: { events: SignInTryEvent },
  },
  listPageButtons: {
    ...previewEndpoint,
    path: '/scans/page-buttons',
    summary:
      'Opens the first start page without its sign-in form or script, and lists the buttons that a person could click, with a picture: to choose one that closes a banner (server-sent events)',
    reply: { events: PageButtonsEvent },
  },
  dryRunScript: {
    method: 'POST',
    path: '/scripts/dry-run',
    permission: 'user',
    summary: 'Dry run of a script: reports each step as it completes, analyzes nothing (server-sent events)',
    body: DryRunBody,
    bodyBytes: maxBodyBytes + 4 * defaultLimits.scriptLength,
    reply: { events: DryRunEvent },
    problems: previewProblems,
  },
})
