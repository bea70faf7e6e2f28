import type { ChangingRequest } from '@clearway/contract/monitor/page/request/schema.ts'
import { signOutPhrases } from '../crawl/action/words.ts'
import { openMemoryFrontier } from '../crawl/memory-frontier.ts'
import { maxSettleMs } from '../crawl/settle/limits.ts'
import { waitUntilIdle } from '../crawl/settle/settle.ts'
import { arriveAtUrl } from '../crawl/visit/arrive.ts'
import { isSignedIn } from '../crawl/visit/prepare.ts'
import type { BrowserPool } from '../browser/pool.ts'
import { openScanContext, type OpenedScan } from '../scan-open.ts'
import { findPlanProblem } from '../settings-check.ts'
import { takeRedactedScreenshot } from '../script/screenshot.ts'
import { openSecrets, redactDeep } from '../script/secret.ts'
import { signsIn, type ScanPlan } from '../settings.ts'
import { looksAlike, readPageFacts } from './proof.ts'
import { refusalStatuses } from './prove-connection.ts'
import type { SignInView } from './sign-in-state.ts'
import type { PageFacts } from './view-in-page.ts'

/** Result of trying a sign-in, for the person who sets it up. */
export type SignInTry =
  | {
      /** `unproved`: the start page looks the same with and without the session, or could not be compared. */
      kind: 'signed-in' | 'unproved'
      /** The user name, if the page shows it. */
      signedInAs: string | null
      /** Texts of the start page that only signed-in visitors see. */
      memberTexts: string[]
      /** Requests of the start page with the session that may change something. */
      changingRequests: ChangingRequest[]
      visitorPage: SignInView
      memberPage: SignInView
    }
  | { kind: 'refused'; detail: string; visitorPage: SignInView | null; lastPage: SignInView | null }
  /** It could not be tried. */
  | { kind: 'problem'; detail: string }

const maxStartMs = 30_000
const maxTextLength = 80
const maxMemberTexts = 3

type StartPage = {
  view: SignInView
  facts: PageFacts | null
  failure: string | null
  hasMark: boolean | null
  changingRequests: ChangingRequest[]
}

const toWord = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/[\p{M}\P{L}]/gu, '')
    .normalize('NFC')
    .toLowerCase()
const signOutWords: ReadonlySet<string> = new Set(signOutPhrases)

const listLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim().replaceAll(/\s+/g, ' '))
    .filter((line) => line !== '' && line.length <= maxTextLength)

/** Texts that only the second page has, those first that tell a signed-in page: the user name, a way to sign out. */
function listMemberTexts(visitorText: string, memberText: string, username: string | null): string[] {
  const visitorLines = new Set(listLines(visitorText))
  const hasName = (line: string) => username !== null && line.toLowerCase().includes(username.toLowerCase())
  const getRank = (line: string) => (hasName(line) ? 0 : signOutWords.has(toWord(line)) ? 1 : 2)
  return [...new Set(listLines(memberText))]
    .filter((line) => !visitorLines.has(line))
    .toSorted((first, second) => getRank(first) - getRank(second))
    .slice(0, maxMemberTexts)
}

const getUsername = ({ session }: ScanPlan): string | null => {
  if (session?.form) return session.form.username
  return session?.connection && 'username' in session.connection ? session.connection.username.replace(/^.*\\/, '') : null
}

/** Passwords and other values that a plan signs in with. */
export const listPasswords = ({ session }: ScanPlan): string[] => [
  ...(session?.form ? [session.form.password, session.form.codeSecret ?? ''] : []),
  ...(session?.connection && 'password' in session.connection ? [session.connection.password] : []),
  ...(session?.script?.variables.map(({ value }) => value) ?? []),
]

/** Opens the start page with the session of a scan, and reads what it shows. */
async function viewStartPage(
  { context, guard }: Extract<OpenedScan, { kind: 'open' }>,
  startUrl: string,
  secretValues: readonly string[],
): Promise<StartPage | { failure: string }> {
  const signInResult = await context.sessions.getBrowsing(URL.parse(startUrl))
  if (signInResult.kind === 'failed') return { failure: signInResult.detail }
  const lease = await context.pool.lease(signInResult.browsing)
  try {
    const { tab } = lease
    const arrival = await arriveAtUrl(tab, guard, startUrl, maxStartMs, context.plan.advanced.referrer)
    const isDocument = arrival.kind === 'document'
    if (isDocument) await waitUntilIdle(tab, { capMs: maxSettleMs.step })
    const facts = isDocument ? await readPageFacts(tab) : null
    const { mark } = context.plan.session ?? { mark: null }
    return {
      facts,
      changingRequests: tab.sent.read().changing,
      failure: isDocument ? null : arrival.detail,
      hasMark: isDocument && mark ? await isSignedIn(tab, mark) : null,
      view: {
        url: facts?.url ?? startUrl,
        title: facts?.title ?? '',
        status: arrival.status,
        screenshot: isDocument ? await takeRedactedScreenshot(tab, secretValues) : null,
      },
    }
  } finally {
    await lease.releaseTab(false)
  }
}

/** Opens the start page of a plan; returns why it could not be opened. */
async function viewWithPlan(
  pool: BrowserPool,
  plan: ScanPlan,
  startUrl: string,
  secretValues: readonly string[],
): Promise<StartPage | { failure: string; lastPage: SignInView | null }> {
  const openedScan = await openScanContext(
    { pool, frontier: openMemoryFrontier({ pageLimit: 1, onRecorded: () => undefined }) },
    plan,
  )
  if (openedScan.kind === 'problem') return { failure: openedScan.detail, lastPage: openedScan.lastPage ?? null }
  try {
    const startPage = await viewStartPage(openedScan, startUrl, secretValues)
    return 'view' in startPage ? startPage : { ...startPage, lastPage: null }
  } finally {
    await openedScan.close()
  }
}

/** Returns why a start page shows that the site refused the sign-in; null if nothing does. */
function findRefusal({ view, failure, hasMark }: StartPage): string | null {
  if (view.status === 401 || view.status === 407) return `HTTP ${view.status}: the sign-in was refused`
  if (view.status === 403) return 'HTTP 403: the user may not see the start page'
  if (hasMark === false) return 'The start page lacks the sign of signed-in pages'
  return failure
}

/**
 * Signs in like a scan, opens the start page without and with the session, and compares them. Analyzes and stores nothing.
 * Passwords are sent once.
 */
export async function trySignIn(deps: { pool: BrowserPool }, plan: ScanPlan, signal: AbortSignal): Promise<SignInTry> {
  const secretValues = listPasswords(plan)
  return redactDeep(openSecrets([], secretValues), await compareStartPages(deps, plan, secretValues, signal))
}

async function compareStartPages(
  { pool }: { pool: BrowserPool },
  plan: ScanPlan,
  secretValues: readonly string[],
  signal: AbortSignal,
): Promise<SignInTry> {
  const planProblem = findPlanProblem(plan)
  const [startUrl] = plan.urls
  if (planProblem !== null || startUrl === undefined) return { kind: 'problem', detail: planProblem ?? 'There is no start URL' }
  if (!signsIn(plan)) return { kind: 'problem', detail: 'The scan does not sign in' }
  const visitor = await viewWithPlan(pool, { ...plan, session: null }, startUrl, [])
  if (!('view' in visitor)) return { kind: 'problem', detail: visitor.failure }
  if (signal.aborted) return { kind: 'problem', detail: 'It was stopped' }
  const member = await viewWithPlan(pool, plan, startUrl, secretValues)
  const refusal = 'view' in member ? findRefusal(member) : member.failure
  if (refusal !== null) {
    const lastPage = 'view' in member ? member.view : 'lastPage' in member ? member.lastPage : null
    return { kind: 'refused', detail: refusal, visitorPage: visitor.view, lastPage }
  }
  const { view: memberPage, facts: memberFacts, hasMark, changingRequests } = member as StartPage
  const wasSeenByVisitor = visitor.facts !== null && (visitor.view.status ?? 200) < 400
  const isOther = wasSeenByVisitor && memberFacts !== null && !looksAlike(visitor.facts!, memberFacts)
  const isProved = hasMark === true || refusalStatuses.includes(visitor.view.status) || isOther
  const username = getUsername(plan)
  const memberText = memberFacts?.text ?? ''
  return {
    kind: isProved ? 'signed-in' : 'unproved',
    signedInAs: username !== null && memberText.toLowerCase().includes(username.toLowerCase()) ? username : null,
    memberTexts: listMemberTexts(visitor.facts?.text ?? '', memberText, username),
    changingRequests,
    visitorPage: visitor.view,
    memberPage,
  }
}
