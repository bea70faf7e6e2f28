import { type ColumnType, type Generated, sql } from 'kysely'

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
  /** Time of the deactivation; null for an active person. */
  deactivated_at: Generated<Date | null>
  /** Grows when all sessions of the person end: earlier sessions, tickets and tokens become invalid. */
  epoch: Generated<number>
  /** Secret of the authenticator app, sealed; null without one. */
  totp: Generated<Buffer | null>
  /** The last time step whose code was used. */
  totp_step: Generated<number>
}
export type TicketKind =
  | 'setup'
  | 'invite'
  | 'reset'
  | 'pass'
  | 'proved'
  | 'second'
  | 'enrol'
  | 'passkey'
  | 'new-passkey'
  | 'email'
type TicketTable = {
  hash: Buffer
  kind: TicketKind
  person_id: string | null
  expires_at: Date
  /** `epoch` of the person when their identity was proved. */
  epoch: number | null
  /** The address that the link was sent to and confirms; null for other kinds. */
  email: string | null
}
type DeviceTable = {
  /** The hash of the session's uid. */
  uid: string
  person_id: string
  agent: string
  address: string
  started_at: Generated<Date>
  seen_at: ColumnType<Date, Date | undefined, Date>
}
type RecoveryCodeTable = { person_id: string; hash: Buffer }
type PasskeyTable = {
  /** The credential id assigned by the browser. */
  id: string
  person_id: string
  name: string
  public_key: Buffer
  counter: number
  created_at: Generated<Date>
  used_at: Generated<Date | null>
}
type ArtifactTable = {
  kind: string
  /** A hash of the id, like `grant_id` and `uid`: database readers obtain no session and no token. */
  id: string
  /** The sealed payload of oidc-provider: it names the ids of sessions and tokens. */
  sealed: Buffer
  /** When a code or refresh token was used, in seconds since 1970. */
  consumed_at: number | null
  account_id: string | null
  grant_id: string | null
  uid: string | null
  /** For sessions: true if they began with a second factor. */
  second: Generated<boolean>
  /** Expired artifacts are not stored again: an ended session stays until no request in flight can refer to it. */
  expires_at: Date | null
}
type SecretTable = { name: string; value: ColumnType<unknown, string, string> }
type AttemptTable = { subject: string; failures: number; since: ColumnType<Date, Date | undefined, Date> }

export type IdpTables = {
  person: PersonTable
  artifact: ArtifactTable
  secret: SecretTable
  attempt: AttemptTable
  ticket: TicketTable
  device: DeviceTable
  recovery_code: RecoveryCodeTable
  passkey: PasskeyTable
}

/** Filter for unexpired rows of `artifact`. */
export const isLive = sql<boolean>`(artifact.expires_at is null or artifact.expires_at > now())`
