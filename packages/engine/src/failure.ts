import type { FailureReason } from '@clearway/contract/monitor/page/schema.ts'
import { scriptOf } from './crawl/scope/discover.ts'
import type { Claim } from './frontier.ts'

/** How often a URL is tried before its failure is final, and how long to wait in between. */
export type RetryPolicy = { attempts: number; delayMs: number }

const once: RetryPolicy = { attempts: 1, delayMs: 0 }
const again: RetryPolicy = { attempts: 2, delayMs: 1000 }
const patiently: RetryPolicy = { attempts: 3, delayMs: 5000 }

/** Whether a URL that is tried `attempts` times is not tried again. What a script has done on the site, it would do twice. */
export const isLastTry = (claim: Claim, attempts: number): boolean =>
  scriptOf(claim) !== null || claim.attempt >= attempts

/** Whether an answer asks for patience: its host says when to come again, whatever `retryPolicy` says. */
export const isBusy = (httpStatus: number | null | undefined): boolean =>
  httpStatus === 429 || httpStatus === 503

/** What a failure calls for: what is said of the page is final; what may have been chance is tried again. */
export const retryPolicy: Readonly<Record<FailureReason, RetryPolicy>> = {
  'bad-url': once,
  'unknown-host': again,
  'connection-refused': again,
  'connection-failed': patiently,
  'bad-certificate': once,
  'address-refused': once,
  'http-400': once,
  'http-401': once,
  'http-403': once,
  'http-404': once,
  'http-error': again,
  'redirect-loop': once,
  'client-redirect': once,
  'timeout-download': again,
  'timeout-command': again,
  'timeout-generic': again,
  'too-large': once,
  'binary-instead-of-html': once,
  'html-instead-of-pdf': once,
  'pdf-damaged': once,
  'pdf-locked': once,
  'pdf-too-complex': once,
  'mime-type': once,
  'violates-settings': once,
  authentication: once,
  'session-failed': again,
  'task-not-processed': again,
  'invalid-task': once,
  'invalid-header': once,
  'script-event-missing': once,
  'page-crashed': again,
  // Whoever shared the browser with the page that filled it is blamed with it; the third try has the browser alone.
  'out-of-memory': { attempts: 3, delayMs: 2000 },
  'too-many-dialogs': once,
  'axe-failed': again,
  'rules-not-found': once,
  'browser-driver': patiently,
  'browser-cluster': patiently,
  'server-not-updated': again,
  'results-not-saved': again,
  backend: again,
}
