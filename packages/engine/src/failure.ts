import type { FailureReason } from '@clearway/contract/monitor/page/schema.ts'
import { getScriptIndex } from './crawl/scope/discover.ts'
import type { Claim } from './frontier.ts'

/** Maximum number of attempts for a URL, and the wait between two attempts in milliseconds. */
export type RetryPolicy = { attempts: number; delayMs: number }

const noRetryPolicy: RetryPolicy = { attempts: 1, delayMs: 0 }
const retryOncePolicy: RetryPolicy = { attempts: 2, delayMs: 1000 }
const slowRetryPolicy: RetryPolicy = { attempts: 3, delayMs: 5000 }

/** Returns true if no attempts remain. Script pages are never retried: a script would repeat its actions on the site. */
export const isLastAttempt = (claim: Claim, maxAttempts: number): boolean =>
  getScriptIndex(claim) !== null || claim.attempt >= maxAttempts

/** Returns true for statuses that ask the client to back off: the host's Retry-After overrides `retryPolicies`. */
export const isBusyStatus = (httpStatus: number | null | undefined): boolean => httpStatus === 429 || httpStatus === 503

/** Retry policy by failure reason: verdicts about the page are final; possibly transient failures are retried. */
export const retryPolicies: Readonly<Record<FailureReason, RetryPolicy>> = {
  'bad-url': noRetryPolicy,
  'unknown-host': retryOncePolicy,
  'connection-refused': retryOncePolicy,
  'connection-failed': slowRetryPolicy,
  'bad-certificate': noRetryPolicy,
  'address-refused': noRetryPolicy,
  'http-400': noRetryPolicy,
  'http-401': noRetryPolicy,
  'http-403': noRetryPolicy,
  'http-404': noRetryPolicy,
  'http-410': noRetryPolicy,
  'bot-protection': noRetryPolicy,
  'http-error': retryOncePolicy,
  'redirect-loop': noRetryPolicy,
  'client-redirect': noRetryPolicy,
  'timeout-download': retryOncePolicy,
  'timeout-command': retryOncePolicy,
  'timeout-generic': retryOncePolicy,
  'too-large': noRetryPolicy,
  'binary-instead-of-html': noRetryPolicy,
  'html-instead-of-pdf': noRetryPolicy,
  'pdf-damaged': noRetryPolicy,
  'pdf-locked': noRetryPolicy,
  'pdf-too-complex': noRetryPolicy,
  'mime-type': noRetryPolicy,
  'violates-settings': noRetryPolicy,
  authentication: noRetryPolicy,
  'session-failed': retryOncePolicy,
  'task-not-processed': retryOncePolicy,
  'invalid-task': noRetryPolicy,
  'invalid-header': noRetryPolicy,
  'script-event-missing': noRetryPolicy,
  'page-crashed': retryOncePolicy,
  // Other pages of the same browser share the blame for the page that filled it. The third attempt has the browser to itself.
  'out-of-memory': { attempts: 3, delayMs: 2000 },
  'too-many-dialogs': noRetryPolicy,
  'axe-failed': retryOncePolicy,
  'rules-not-found': noRetryPolicy,
  'browser-driver': slowRetryPolicy,
  'browser-cluster': slowRetryPolicy,
  'server-not-updated': retryOncePolicy,
  'results-not-saved': retryOncePolicy,
  backend: retryOncePolicy,
}
