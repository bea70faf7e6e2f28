import type { Kysely } from 'kysely'
import { hashOf } from '../kit/hash.ts'
import { sessionClaim } from '../kit/http/token.ts'
import { findPerson, type Person, sessionsOf } from './store.ts'
import type { IdpTables } from './table.ts'

/** How long a token may outlive a change of its account. */
const freshMs = 5000
const mostKnown = 10_000

/** The claim of an access token that says which state of the account it was got by. */
export const versionClaim = 'account_version'

/**
 * Another for each password, each set of roles, and after sessions were ended: of the salted hash, so that nobody learns
 * anything of the password.
 */
export const versionOf = ({ password, roles, epoch }: Pick<Person, 'password' | 'roles' | 'epoch'>): string =>
  hashOf(password, [...roles].sort().join(' '), epoch).toString('base64url')

/** The product's own client: it has a secret as people have passwords. */
export type ServiceClient = { id: string; secret: string }

/** Another for each secret. */
export const serviceVersionOf = ({ id, secret }: ServiceClient): string =>
  hashOf('service', id, secret).toString('base64url')

type Claims = { sub?: string; [claim: string]: unknown }

/** What of an account a token can be of; null for one that is gone or deactivated. */
type Standing = { version: string; sessions: ReadonlySet<string> } | null

export type AccountCheck = {
  /** Whether an access token is of an account as it is now, and of a session that has not ended. */
  isCurrent: (claims: Claims) => Promise<boolean>
  /** Looks anew at the next token: the account has changed in this process. */
  forget: (id: string) => void
}

/** Judges access tokens by the accounts of the database, which another process may have changed. */
export function openAccountCheck(deps: { db: Kysely<IdpTables>; service: ServiceClient }): AccountCheck {
  const known = new Map<string, { until: number; standing: Promise<Standing> }>()
  const read = async (id: string): Promise<Standing> => {
    const person = await findPerson(deps, id)
    if (!person || person.deactivatedAt) return null
    return { version: versionOf(person), sessions: new Set(await sessionsOf(deps, id)) }
  }
  const now = (id: string): Promise<Standing> => {
    const entry = known.get(id)
    if (entry && entry.until > performance.now()) return entry.standing
    if (known.size >= mostKnown) known.clear()
    const standing = read(id)
    // What could not be asked is asked again.
    standing.catch(() => known.delete(id))
    known.set(id, { until: performance.now() + freshMs, standing })
    return standing
  }
  return {
    forget: (id) => void known.delete(id),
    isCurrent: async (claims) => {
      const id = claims.sub ?? ''
      const { [versionClaim]: version, [sessionClaim]: session } = claims
      if (id === deps.service.id) return version === serviceVersionOf(deps.service)
      if (typeof version !== 'string' || typeof session !== 'string') return false
      const fits = (standing: Standing) => standing?.version === version && standing.sessions.has(session)
      if (fits(await now(id))) return true
      // It may be newer than what is remembered.
      known.delete(id)
      return fits(await now(id))
    },
  }
}
