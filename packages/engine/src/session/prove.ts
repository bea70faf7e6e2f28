import type { ActingRule } from '../crawl/action/rule.ts'
import { arriveAtUrl } from '../crawl/visit/arrive.ts'
import { maxSettleMs } from '../crawl/settle/limits.ts'
import { waitUntilIdle } from '../crawl/settle/settle.ts'
import type { Guard } from '../guard/guard.ts'
import type { Tab } from '../browser/tab.ts'
import type { ScanPlan } from '../settings.ts'
import { looksAlike, readPageFacts, toAddress, type SignInProof } from './proof.ts'
import type { PageFacts } from './view-in-page.ts'

/** `acting` tells URLs that may change something when they are opened. */
export type ProverDeps = { guard: Guard; plan: ScanPlan; acting: ActingRule }

const maxStartMs = 20_000

/** Opens the start page and reads what it shows; null if it has no document, or if opening it may change something. */
export async function readStartPage({ guard, plan, acting }: ProverDeps, tab: Tab): Promise<VisitorPage | null> {
  const startUrl = plan.urls[0]
  if (startUrl === undefined || acting.mayAct(startUrl)) return null
  const arrival = await arriveAtUrl(tab, guard, startUrl, maxStartMs, plan.advanced.referrer)
  if (arrival.kind !== 'document') return null
  await waitUntilIdle(tab, { capMs: maxSettleMs.step })
  const facts = await readPageFacts(tab)
  return facts && { ...facts, status: arrival.status }
}

type VisitorPage = PageFacts & { status: number | null }

/** Collects the pages of a sign-in that ask for a password. */
function openPageLog(tab: Tab) {
  const pages = new Map<string, PageFacts>()
  return {
    list: () => [...pages.values()],
    note: async (): Promise<void> => {
      const facts = await readPageFacts(tab)
      if (facts?.hasPassword) pages.set(toAddress(facts.url), facts)
    },
  }
}

/** Returns why a page after the sign-in shows that it was refused; null if nothing does. */
function findRefusal(signInPages: readonly PageFacts[], landing: PageFacts | null): string | null {
  const isFormAgain =
    landing?.hasPassword === true &&
    signInPages.some(
      (page) => toAddress(page.url) === toAddress(landing.url) || normalizedTitle(page) === normalizedTitle(landing),
    )
  return isFormAgain ? 'The site asks for the password again' : null
}
const normalizedTitle = ({ title }: PageFacts): string => title.trim().toLowerCase()

/**
 * Proves that the sign-in worked: the site no longer asks for the password, and the start page is not the one that visitors
 * see.
 * @param visitorPage the start page before the sign-in
 */
async function proveSignIn(
  deps: ProverDeps,
  tab: Tab,
  signInPages: readonly PageFacts[],
  visitorPage: VisitorPage | null,
): Promise<{ ok: true; proof: SignInProof } | { ok: false; detail: string }> {
  const refusal = findRefusal(signInPages, await readPageFacts(tab))
  if (refusal !== null) return { ok: false, detail: refusal }
  const memberPage = visitorPage && (await readStartPage(deps, tab))
  const asksVisitors =
    visitorPage !== null &&
    (visitorPage.hasPassword || visitorPage.status === 401 || toAddress(visitorPage.url) !== toAddress(deps.plan.urls[0]!))
  const isSame = visitorPage !== null && memberPage !== null && looksAlike(visitorPage, memberPage)
  if (asksVisitors && (memberPage?.status === 401 || (isSame && toAddress(visitorPage.url) === toAddress(memberPage!.url))))
    return { ok: false, detail: `${deps.plan.urls[0]} still shows what visitors see: ${memberPage!.title || memberPage!.url}` }
  const isSignInPage = visitorPage !== null && visitorPage.hasPassword && !isSame
  return {
    ok: true,
    proof: {
      signInPages: isSignInPage ? [...signInPages, visitorPage] : signInPages,
      ...(visitorPage !== null && memberPage !== null && !isSame
        ? { signedOutPage: visitorPage, memberPage }
        : { signedOutPage: null }),
    },
  }
}

/**
 * Opens the proof of one sign-in in a tab without a session.
 * @param knownProof that of an earlier sign-in, so that the start page is not opened as a visitor again
 */
export async function openProver(deps: ProverDeps, tab: Tab, knownProof: SignInProof | null) {
  const visitorPage = knownProof === null ? await readStartPage(deps, tab) : knownProof.signedOutPage
  const pageLog = openPageLog(tab)
  return {
    /** Call before each action of the sign-in. */
    noteSignInPage: pageLog.note,
    /** True if a page of the sign-in asked for a password. */
    hasSeenPassword: () => pageLog.list().length > 0,
    /** Call after the last action. */
    prove: () => proveSignIn(deps, tab, [...(knownProof?.signInPages ?? []), ...pageLog.list()], visitorPage),
  }
}
export type Prover = Awaited<ReturnType<typeof openProver>>
