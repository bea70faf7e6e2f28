import type { Browsing } from '../browser/instance.ts'
import type { BrowserPool } from '../browser/pool.ts'
import { arriveAtUrl } from '../crawl/visit/arrive.ts'
import type { ProverDeps } from './prove.ts'
import type { SignInProof } from './proof.ts'

type ConnectionDeps = ProverDeps & { pool: BrowserPool }

const maxStartMs = 20_000
/** Statuses of servers that ask visitors to sign in, or refuse them. */
export const refusalStatuses: readonly (number | null)[] = [401, 403, 407]
const requestStatuses: readonly (number | null)[] = [401, 407]

/** Returns the status of the start page; null if there is none in time, or of another origin, which gets no credentials. */
async function readStartStatus(
  { pool, guard, plan }: ConnectionDeps,
  startUrl: string,
  browsing: Browsing,
): Promise<number | null> {
  const lease = await pool.lease(browsing)
  try {
    const { url, status } = await arriveAtUrl(lease.tab, guard, startUrl, maxStartMs, plan.advanced.referrer)
    return URL.parse(url)?.origin === URL.parse(startUrl)?.origin ? status : null
  } finally {
    await lease.releaseTab(false)
  }
}

/**
 * Proves a sign-in that the server asks for: it refuses the start page to visitors, and shows it with the credentials. These are
 * sent once before any page, because each refused page would count as a further attempt and may lock the account.
 * @returns no proof if the server shows the start page to visitors, too
 */
export async function proveConnection(
  deps: ConnectionDeps,
  visitorBrowsing: Browsing,
  memberBrowsing: Browsing,
): Promise<{ ok: true; proof: SignInProof | null } | { ok: false; detail: string }> {
  const [startUrl] = deps.plan.urls
  if (startUrl === undefined || deps.acting.mayAct(startUrl)) return { ok: true, proof: null }
  const ownBrowsing = { ...visitorBrowsing }
  const visitorStatus = await readStartStatus(deps, startUrl, ownBrowsing)
  await deps.pool.closeRun(ownBrowsing)
  if (!refusalStatuses.includes(visitorStatus)) return { ok: true, proof: null }
  const memberStatus = await readStartStatus(deps, startUrl, memberBrowsing)
  if (requestStatuses.includes(memberStatus)) return { ok: false, detail: `HTTP ${memberStatus}: the sign-in was refused` }
  const isShown = memberStatus !== null && memberStatus < 400
  const refusedOrigin = URL.parse(startUrl)?.origin
  return { ok: true, proof: isShown && refusedOrigin ? { signInPages: [], signedOutPage: null, refusedOrigin } : null }
}
