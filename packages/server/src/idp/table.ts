import type { ColumnType, Generated } from 'kysely'

type PersonTable = {
  id: string
  username: string
  first_name: string
  last_name: string
  email: string | null
  /** scrypt, with its parameters: see `password.ts`. */
  password: string
  /** Roles on the resource client: `access`, `admin`. */
  roles: string[]
  created_at: Generated<Date>
}
type ArtifactTable = {
  kind: string
  /** The hash of the id, as are `grant_id` and `uid`: who reads the database gets no session and no token. */
  id: string
  /** What oidc-provider keeps, sealed: it names the ids of sessions and tokens. */
  sealed: Buffer
  /** When a code or refresh token was used, in seconds since 1970. */
  consumed_at: number | null
  account_id: string | null
  grant_id: string | null
  uid: string | null
  expires_at: Date | null
}
type SecretTable = { name: string; value: ColumnType<unknown, string, string> }
type AttemptTable = { subject: string; failures: number; since: ColumnType<Date, Date | undefined, Date> }

export type IdpTables = {
  person: PersonTable
  artifact: ArtifactTable
  secret: SecretTable
  attempt: AttemptTable
}
