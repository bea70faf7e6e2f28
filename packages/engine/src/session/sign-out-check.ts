import { arriveAtUrl } from '../crawl/visit/arrive.ts'
import { maxSettleMs } from '../crawl/settle/limits.ts'
import { waitUntilIdle } from '../crawl/settle/settle.ts'
import { sleep } from '../browser/deadline.ts'
import { holdRefreshes } from '../browser/refresh.ts'
import type { Browsing } from '../browser/instance.ts'
import type { BrowserPool } from '../browser/pool.ts'
import type { Tab } from '../browser/tab.ts'
import { isSignedOutPage, type SignInProof } from './proof.ts'
import { readStartPage, type ProverDeps } from './prove.ts'
import type { SignedIn, SignOutCheck } from './sign-in-state.ts'
import type { SignOutLog } from './sign-out-log.ts'

// Links that end the session, by what they did: each suspected page is opened in a session of its own, and the start page after
// it. A session that ends by itself is told apart by another one, in which only the start page is opened, as often and as long.

type CheckDeps = ProverDeps & { pool: BrowserPool; log: SignOutLog }
/** Maximum number of checks of a run that teach nothing: the site ends its sessions by itself. */
const maxVainChecks = 2
const maxOpenMs = 20_000
const maxControlMs = 60_000

/** Returns true if the session lives; null if the start page does not tell. */
async function isAlive(deps: CheckDeps, tab: Tab, proof: SignInProof): Promise<boolean | null> {
  const facts = await readStartPage(deps, tab)
  return facts && !isSignedOutPage(proof, deps.plan.urls[0]!, facts)
}

async function openSuspect({ guard, plan, acting }: CheckDeps, tab: Tab, url: string): Promise<void> {
  const refreshHold = holdRefreshes(tab, (target) => target !== url && acting.mayAct(target))
  try {
    await arriveAtUrl(tab, guard, url, maxOpenMs, plan.advanced.referrer, true)
    await waitUntilIdle(tab, { capMs: maxSettleMs.links, eager: true })
  } finally {
    refreshHold.release()
  }
}

/** Calls `work` with a tab of its own in a session. */
async function withTab<T>({ pool }: CheckDeps, browsing: Browsing, work: (tab: Tab) => Promise<T>): Promise<T> {
  const lease = await pool.lease(browsing)
  try {
    return await work(lease.tab)
  } finally {
    await lease.releaseTab(false)
  }
}

/** Opens a page. Returns whether the session lives after it. */
const livesAfter = (deps: CheckDeps, { browsing }: SignedIn, proof: SignInProof, url: string) =>
  withTab(deps, browsing, async (tab) => {
    await openSuspect(deps, tab, url)
    return isAlive(deps, tab, proof)
  })

/** Returns true if a session lives for longer than a check took, with more requests. */
const livesLonger = (deps: CheckDeps, { browsing }: SignedIn, proof: SignInProof, check: { pages: number; ms: number }) =>
  withTab(deps, browsing, async (tab) => {
    const startedAt = performance.now()
    for (let count = 0; count <= 2 * check.pages; count++) if (!(await isAlive(deps, tab, proof))) return false
    const remainingMs = Math.min(maxControlMs, check.ms * 1.5) - (performance.now() - startedAt)
    if (remainingMs > 0) await sleep(remainingMs)
    return (await isAlive(deps, tab, proof)) === true
  })

type Culprit = { url: string; pages: number; ms: number }

/** Finds the suspect that ends a session, each in turn: the last page before the loss is the most likely one. */
async function findCulprit(
  deps: CheckDeps,
  session: SignedIn,
  proof: SignInProof,
  suspects: readonly string[],
): Promise<Culprit | 'unknown' | null> {
  const startedAt = performance.now()
  for (const [index, url] of suspects.toReversed().entries()) {
    const isStillAlive = await livesAfter(deps, session, proof, url)
    if (isStillAlive === null) return 'unknown'
    if (!isStillAlive) return { url, pages: 2 * (index + 1), ms: performance.now() - startedAt }
    deps.log.clear([url])
  }
  return null
}

/** Opens the check of a run, which begins when a session has ended and the scan has signed in again. */
export function openSignOutCheck(deps: CheckDeps, onLearned: ((pattern: string) => Promise<void>) | undefined): SignOutCheck {
  let vainChecks = 0
  const startUrl = deps.plan.urls[0]
  return async (signedIn, signInAgain) => {
    const suspects = deps.log.takeSuspects().filter((url) => url !== startUrl && !deps.acting.mayAct(url))
    const { proof } = signedIn
    if (!proof?.signedOutPage || suspects.length === 0 || vainChecks >= maxVainChecks) return signedIn
    const culprit = await findCulprit(deps, signedIn, proof, suspects)
    if (culprit === null) {
      vainChecks += 1
      return signedIn
    }
    const nextSession = await signInAgain()
    if (culprit === 'unknown' || nextSession.kind === 'failed') return nextSession
    if (!(await livesLonger(deps, nextSession, proof, culprit))) {
      vainChecks += 1
      return signInAgain()
    }
    const pattern = deps.acting.learnSignOut(culprit.url)
    await onLearned?.(pattern)
    return nextSession
  }
}
