import { define } from '../../../kit/endpoint.ts'
import { defaultLimits } from '../../../kit/limit.ts'
import {
  DryRunBody,
  DryRunEvent,
  PreviewedAddress,
  ReachBody,
  ReachedUrl,
  ScopePreviewBody,
  ScopePreviewEvent,
  ScopeTestBody,
} from './schema.ts'

// With scripts of its own, a keystore and a list of URLs.
const bodyBytes = 16 * 1024 * 1024

/** What a run would do. Nothing is stored. */
export const previewApi = define({
  previewScope: {
    method: 'POST',
    path: '/scans/scope-preview',
    permission: 'user',
    summary:
      'What a run by these settings would visit and leave out, as it is met (server-sent events); for whoever may create scans, or edit the one of `scanId`',
    body: ScopePreviewBody,
    bodyBytes,
    reply: { events: ScopePreviewEvent },
    problems: ['no-browser', 'too-many-requests', 'quota-tries'],
  },
  testScope: {
    method: 'POST',
    path: '/scans/scope-test',
    permission: 'user',
    summary: 'What a run by these settings would do with one address, without opening it',
    body: ScopeTestBody,
    bodyBytes,
    reply: PreviewedAddress,
    problems: ['no-browser', 'too-many-requests', 'quota-tries'],
  },
  reachUrl: {
    method: 'POST',
    path: '/scans/reach',
    permission: 'user',
    summary:
      'What answers at a URL, by https, then by http; for whoever may create scans, or edit the one of `scanId`',
    body: ReachBody,
    reply: ReachedUrl,
    problems: ['too-many-requests'],
  },
  dryRunScript: {
    method: 'POST',
    path: '/scripts/dry-run',
    permission: 'user',
    summary:
      'Walks a script without analysing anything, and shows each step as it is done (server-sent events)',
    body: DryRunBody,
    bodyBytes: bodyBytes + 4 * defaultLimits.scriptLength,
    reply: { events: DryRunEvent },
    problems: ['no-browser', 'too-many-requests', 'quota-tries'],
  },
})
