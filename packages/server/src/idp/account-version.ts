import type { Kysely } from 'kysely'
import { hashOf } from '../kit/hash.ts'
import { findPerson, type Person } from './store.ts'
import type { IdpTables } from './table.ts'

/** How long a token may outlive a change of its account. */
const freshMs = 5000
const mostKnown = 10_000

/** The claim of an access token that says which password it was got by. */
export const versionClaim = 'account_version'

/** Another for each password: of its salted hash, so that nobody learns anything of it. */
export const versionOf = ({ password }: Pick<Person, 'password'>): string =>
  hashOf(password).toString('base64url')

type Claims = { sub?: string; [claim: string]: unknown }

/** Says whether an access token is of an account as it is now: not of one that is gone or has another password since. */
export function openAccountCheck(deps: { db: Kysely<IdpTables> }): (claims: Claims) => Promise<boolean> {
  const known = new Map<string, { until: number; version: Promise<string | null> }>()
  const versionNow = (id: string): Promise<string | null> => {
    const entry = known.get(id)
    if (entry && entry.until > Date.now()) return entry.version
    if (known.size >= mostKnown) known.clear()
    const version = findPerson(deps, id).then((person) => person && versionOf(person))
    // What could not be asked is asked again.
    version.catch(() => known.delete(id))
    known.set(id, { until: Date.now() + freshMs, version })
    return version
  }
  return async (claims) => {
    const id = claims.sub ?? ''
    const claimed = claims[versionClaim]
    if (typeof claimed !== 'string') return false
    if ((await versionNow(id)) === claimed) return true
    // It may be newer than what is remembered.
    known.delete(id)
    return (await versionNow(id)) === claimed
  }
}
