import type { BrowserPool } from '../browser/pool.ts'
import type { Tab } from '../browser/tab.ts'
import { openMemoryFrontier } from '../crawl/memory-frontier.ts'
import { maxSettleMs } from '../crawl/settle/limits.ts'
import { waitUntilIdle } from '../crawl/settle/settle.ts'
import { arriveAtUrl } from '../crawl/visit/arrive.ts'
import { openScanContext, type OpenedScan } from '../scan-open.ts'
import { takeRedactedScreenshot } from '../script/screenshot.ts'
import type { ScanPlan } from '../settings.ts'
import { readPageFacts } from './proof.ts'
import type { SignInView } from './sign-in-state.ts'
import type { PageFacts } from './view-in-page.ts'

/** A start page as the browser of a scan sees it. `content`: null for a page that is no document. */
export type StartPage<Content> = {
  view: SignInView
  facts: PageFacts | null
  /** Reason why it is no document. */
  failure: string | null
  content: Content | null
}

/** Why a start page could not be opened, and the page that the sign-in ended on. */
type UnopenedPage = { failure: string; lastPage: SignInView | null }

const maxStartMs = 30_000

/** Passwords and other values that a plan signs in with. */
export const listPasswords = ({ session }: ScanPlan): string[] => [
  ...(session?.form ? [session.form.password, session.form.codeSecret ?? ''] : []),
  ...(session?.connection && 'password' in session.connection ? [session.connection.password] : []),
  ...(session?.script?.variables.map(({ value }) => value) ?? []),
]

async function visitStartPage<Content>(
  { context, guard }: Extract<OpenedScan, { kind: 'open' }>,
  startUrl: string,
  readContent: (tab: Tab) => Promise<Content>,
): Promise<StartPage<Content> | UnopenedPage> {
  const signInResult = await context.sessions.getBrowsing(URL.parse(startUrl))
  if (signInResult.kind === 'failed') return { failure: signInResult.detail, lastPage: null }
  const lease = await context.pool.lease(signInResult.browsing)
  try {
    const { tab } = lease
    const arrival = await arriveAtUrl(tab, guard, startUrl, maxStartMs, context.plan.advanced.referrer)
    const isDocument = arrival.kind === 'document'
    if (isDocument) await waitUntilIdle(tab, { capMs: maxSettleMs.step })
    const facts = isDocument ? await readPageFacts(tab) : null
    return {
      facts,
      failure: isDocument ? null : arrival.detail,
      content: isDocument ? await readContent(tab) : null,
      view: {
        url: facts?.url ?? startUrl,
        title: facts?.title ?? '',
        status: arrival.status,
        screenshot: isDocument ? await takeRedactedScreenshot(tab, listPasswords(context.plan)) : null,
      },
    }
  } finally {
    await lease.releaseTab(false)
  }
}

/**
 * Opens a start page with the session of a plan. Analyzes and stores nothing.
 * @param readContent reads the settled document
 * @returns the page, its picture without typed values; or why it could not be opened
 */
export async function viewStartPage<Content>(
  pool: BrowserPool,
  plan: ScanPlan,
  startUrl: string,
  readContent: (tab: Tab) => Promise<Content>,
): Promise<StartPage<Content> | UnopenedPage> {
  const frontier = openMemoryFrontier({ pageLimit: 1, onRecorded: () => undefined })
  const openedScan = await openScanContext({ pool, frontier }, plan)
  if (openedScan.kind === 'problem') return { failure: openedScan.detail, lastPage: openedScan.lastPage ?? null }
  try {
    return await visitStartPage(openedScan, startUrl, readContent)
  } finally {
    await openedScan.close()
  }
}
