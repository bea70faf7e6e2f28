import type { ChangingRequest } from '@clearway/contract/monitor/page/request/schema.ts'
import { signOutPhrases } from '../crawl/action/sign-out-words.ts'
import type { BrowserPool } from '../browser/pool.ts'
import type { Tab } from '../browser/tab.ts'
import { isSignedIn } from '../crawl/visit/prepare.ts'
import { findPlanProblem } from '../settings-check.ts'
import { openSecrets, redactDeep } from '../script/secret.ts'
import { signsIn, type ScanPlan } from '../settings.ts'
import { looksAlike } from './proof.ts'
import { refusalStatuses } from './prove-connection.ts'
import type { SignInView } from './sign-in-state.ts'
import { listPasswords, type StartPage, viewStartPage } from './start-page.ts'

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

const maxTextLength = 80
const maxMemberTexts = 3

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

/** Signs of a session on a page. `hasMark`: null without a mark. */
type SessionSigns = { changingRequests: ChangingRequest[]; hasMark: boolean | null }

const createSignReader =
  ({ session }: ScanPlan) =>
  async (tab: Tab): Promise<SessionSigns> => ({
    changingRequests: tab.sent.read().changing,
    hasMark: session?.mark ? await isSignedIn(tab, session.mark) : null,
  })

/** Returns why a start page shows that the site refused the sign-in; null if nothing does. */
function findRefusal({ view, failure, content }: StartPage<SessionSigns>): string | null {
  if (view.status === 401 || view.status === 407) return `HTTP ${view.status}: the sign-in was refused`
  if (view.status === 403) return 'HTTP 403: the user may not see the start page'
  if (content?.hasMark === false) return 'The start page lacks the sign of signed-in pages'
  return failure
}

/**
 * Signs in like a scan, opens the start page without and with the session, and compares them. Analyzes and stores nothing.
 * Passwords are sent once.
 */
export async function trySignIn(deps: { pool: BrowserPool }, plan: ScanPlan, signal: AbortSignal): Promise<SignInTry> {
  return redactDeep(openSecrets([], listPasswords(plan)), await compareStartPages(deps, plan, signal))
}

async function compareStartPages({ pool }: { pool: BrowserPool }, plan: ScanPlan, signal: AbortSignal): Promise<SignInTry> {
  const planProblem = findPlanProblem(plan)
  const [startUrl] = plan.urls
  if (planProblem !== null || startUrl === undefined) return { kind: 'problem', detail: planProblem ?? 'There is no start URL' }
  if (!signsIn(plan)) return { kind: 'problem', detail: 'The scan does not sign in' }
  const visitorPlan = { ...plan, session: null }
  const visitor = await viewStartPage(pool, visitorPlan, startUrl, createSignReader(visitorPlan))
  if (!('view' in visitor)) return { kind: 'problem', detail: visitor.failure }
  if (signal.aborted) return { kind: 'problem', detail: 'It was stopped' }
  const member = await viewStartPage(pool, plan, startUrl, createSignReader(plan))
  const refusal = 'view' in member ? findRefusal(member) : member.failure
  if (refusal !== null) {
    const lastPage = 'view' in member ? member.view : member.lastPage
    return { kind: 'refused', detail: refusal, visitorPage: visitor.view, lastPage }
  }
  const { view: memberPage, facts: memberFacts, content: signs } = member as StartPage<SessionSigns>
  const wasSeenByVisitor = visitor.facts !== null && (visitor.view.status ?? 200) < 400
  const isOther = wasSeenByVisitor && memberFacts !== null && !looksAlike(visitor.facts!, memberFacts)
  const isProved = signs?.hasMark === true || refusalStatuses.includes(visitor.view.status) || isOther
  const username = getUsername(plan)
  const memberText = memberFacts?.text ?? ''
  return {
    kind: isProved ? 'signed-in' : 'unproved',
    signedInAs: username !== null && memberText.toLowerCase().includes(username.toLowerCase()) ? username : null,
    memberTexts: listMemberTexts(visitor.facts?.text ?? '', memberText, username),
    changingRequests: signs?.changingRequests ?? [],
    visitorPage: visitor.view,
    memberPage,
  }
}
