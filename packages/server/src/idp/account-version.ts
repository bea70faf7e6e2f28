import type { Kysely } from 'kysely'
import { computeHash } from '../kit/hash.ts'
import { sessionClaim } from '../kit/http/token.ts'
import { findPerson, type Person, listSessionIds } from './store.ts'
import type { IdpTables } from './table.ts'

/** Maximum time for which a token may outlive a change of its account. */
const standingCacheMs = 5000
const maxCachedStandings = 10_000

/** The claim of an access token that names the account state it was issued for. */
export const versionClaim = 'account_version'

/** Changes with each password, set of roles and end of sessions. Built from the salted hash, which hides the password. */
export const computeAccountVersion = ({ password, roles, epoch }: Pick<Person, 'password' | 'roles' | 'epoch'>): string =>
  computeHash(password, [...roles].sort().join(' '), epoch).toString('base64url')

/** The product's own client. It has a secret as people have passwords. */
export type ServiceClient = { id: string; secret: string }

/** Changes with each new secret. */
export const computeServiceVersion = ({ id, secret }: ServiceClient): string =>
  computeHash('service', id, secret).toString('base64url')

type TokenClaims = { sub?: string; [claimName: string]: unknown }

/** The part of an account that a token is checked against; null for a deleted or deactivated one. */
type AccountStanding = { version: string; sessions: ReadonlySet<string> } | null

export type AccountCheck = {
  /** True if an access token matches the current state of its account, and its session has not ended. */
  isCurrent: (claims: TokenClaims) => Promise<boolean>
  /** Re-reads the account at the next token: it has changed in this process. */
  forget: (id: string) => void
}

/** Checks access tokens against the accounts of the database, which another process may have changed. */
export function openAccountCheck(deps: { db: Kysely<IdpTables>; service: ServiceClient }): AccountCheck {
  const cachedStandings = new Map<string, { freshUntil: number; standing: Promise<AccountStanding> }>()
  const readStanding = async (id: string): Promise<AccountStanding> => {
    const accountPerson = await findPerson(deps, id)
    if (!accountPerson || accountPerson.deactivatedAt) return null
    return { version: computeAccountVersion(accountPerson), sessions: new Set(await listSessionIds(deps, id)) }
  }
  const getStanding = (id: string): Promise<AccountStanding> => {
    const cacheEntry = cachedStandings.get(id)
    if (cacheEntry && cacheEntry.freshUntil > performance.now()) return cacheEntry.standing
    if (cachedStandings.size >= maxCachedStandings) cachedStandings.clear()
    const pendingStanding = readStanding(id)
    // A failed read is not cached.
    pendingStanding.catch(() => cachedStandings.delete(id))
    cachedStandings.set(id, { freshUntil: performance.now() + standingCacheMs, standing: pendingStanding })
    return pendingStanding
  }
  return {
    forget: (id) => void cachedStandings.delete(id),
    isCurrent: async (claims) => {
      const accountId = claims.sub ?? ''
      const { [versionClaim]: tokenVersion, [sessionClaim]: sessionId } = claims
      if (accountId === deps.service.id) return tokenVersion === computeServiceVersion(deps.service)
      if (typeof tokenVersion !== 'string' || typeof sessionId !== 'string') return false
      const matchesToken = (standing: AccountStanding) => standing?.version === tokenVersion && standing.sessions.has(sessionId)
      if (matchesToken(await getStanding(accountId))) return true
      // The token may be newer than the cached standing.
      cachedStandings.delete(accountId)
      return matchesToken(await getStanding(accountId))
    },
  }
}
