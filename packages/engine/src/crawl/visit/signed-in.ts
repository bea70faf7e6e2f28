import {
  isSignedOutPage,
  judgeShownPage,
  knowsVisitorPages,
  leadsToSignIn,
  leadsToSignInHost,
  readPageFacts,
  toAddress,
} from '../../session/proof.ts'
import { maxSettleMs } from '../settle/limits.ts'
import { waitUntilIdle } from '../settle/settle.ts'
import { checkRedirect } from './check-redirect.ts'
import { failVisit, getRemainingMs, type ResponseFacts, type VisitContext, type VisitResult } from './context.ts'
import { isSignedIn } from './prepare.ts'

/**
 * Returns true if the tab's page is one that visitors see who are not signed in; null for a page that cannot be read. Notes on the
 * visit whether the page leaves a doubt.
 */
async function showsSignedOut(context: VisitContext): Promise<boolean | null> {
  const { tab, deps, claim } = context
  delete context.doubtfulPage
  const proof = deps.signIn.getProof()
  if (!proof || !knowsVisitorPages(proof)) return false
  const facts = await readPageFacts(tab)
  if (facts === null) return null
  // Wikis offer their sign-in page to signed-in users, too, under their name.
  const isRequested = toAddress(claim.url) === toAddress(facts.url)
  if (isSignedOutPage(proof, claim.url, facts)) return !(isRequested && deps.doubts.hasMarks(proof, facts))
  if (deps.doubts.lacksMarks(proof, facts)) context.doubtfulPage = facts
  else deps.doubts.noteProved(facts)
  return false
}

/** Returns false if the tab's page shows that the scan is signed out. Notes on the visit that it was proved. */
export async function checkSignedIn(context: VisitContext): Promise<boolean> {
  const { tab, deps, claim } = context
  const proof = deps.signIn.getProof()
  const hasMark = deps.mark === null ? null : await isSignedIn(tab, deps.mark)
  const isSignedOut = await showsSignedOut(context)
  if (hasMark === false || isSignedOut) return false
  if (hasMark === true) delete context.doubtfulPage
  // A scan without a sign-in has nothing to prove.
  const isShownAsProof = proof && judgeShownPage(proof, claim.url)
  if (hasMark === true || isShownAsProof !== null)
    context.isProved = hasMark === true || (isShownAsProof === true && isSignedOut === false)
  return true
}

/** Fails a visit because the session is lost. */
export const failSignedOut = (context: VisitContext, detail: string, facts: Partial<ResponseFacts> = {}): VisitResult =>
  failVisit(context, 'session-failed', detail, {
    ...(facts.status === undefined ? {} : { status: facts.status }),
    keepTab: facts.keepTab ?? true,
  })

/**
 * Ends the visit if the URL leads to another page; null if it is the requested page. A page that the site shows instead, because
 * it does not know the user any longer, is a lost session.
 */
export async function judgeRedirect(context: VisitContext, url: string, facts: ResponseFacts): Promise<VisitResult | null> {
  const redirectVisit = checkRedirect(context, url, facts)
  if (redirectVisit?.outcome.kind !== 'excluded') return redirectVisit
  const proof = context.deps.signIn.getProof()
  if (!proof || !knowsVisitorPages(proof)) return redirectVisit
  const signedOutDetail = `The site leads to its sign-in: ${url.split('?', 1)[0]}`
  const reachedUrl = URL.parse(url)
  const isOutside = reachedUrl !== null && context.deps.scope(reachedUrl) !== null
  const isSignIn = leadsToSignIn(proof, context.claim.url, url) || (isOutside && leadsToSignInHost(proof, context.claim.url, url))
  if (isSignIn) return failSignedOut(context, signedOutDetail, facts)
  if (facts.mimeType === null || !facts.mimeType.includes('html')) return redirectVisit
  await waitUntilIdle(context.tab, { capMs: getRemainingMs(context, maxSettleMs.links), eager: true })
  return (await showsSignedOut(context)) ? failSignedOut(context, signedOutDetail, facts) : redirectVisit
}

/** Fails a refused page that shows what visitors see; null if it shows something else. */
export async function judgeRefusal(context: VisitContext, facts: ResponseFacts): Promise<VisitResult | null> {
  if (facts.status === null || facts.status < 400 || facts.status >= 500) return null
  const isSignedOut = await showsSignedOut(context)
  // Most pages that are missing tell nothing about the session.
  const isRefusal = facts.status === 403 || facts.status === context.deps.signIn.getProof()?.signedOutPage?.status
  if (!isRefusal) delete context.doubtfulPage
  return isSignedOut ? failSignedOut(context, `HTTP ${facts.status}: the session is lost`, facts) : null
}
