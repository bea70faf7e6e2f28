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
  /** Since when the person cannot sign in; null while they can. */
  deactivated_at: Generated<Date | null>
  /** Grows when all sessions of the person are ended: what was begun before is refused. */
  epoch: Generated<number>
  /** Secret of the authenticator app, sealed; null without one. */
  totp: Generated<Buffer | null>
  /** The last time step whose code was used. */
  totp_step: Generated<number>
}
/** What a link or a form lets its holder do once. */
export type TicketKind =
  'setup' | 'invite' | 'reset' | 'pass' | 'proved' | 'second' | 'enrol' | 'passkey' | 'new-passkey' | 'email'
type TicketTable = {
  hash: Buffer
  kind: TicketKind
  person_id: string | null
  expires_at: Date
  /** `epoch` of the person when what it stands for was proved. */
  epoch: number | null
  /** The address that the link was sent to, and confirms; null for other kinds. */
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
  /** As the browser names it. */
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
  /** The hash of the id, as are `grant_id` and `uid`: who reads the database gets no session and no token. */
  id: string
  /** What oidc-provider keeps, sealed: it names the ids of sessions and tokens. */
  sealed: Buffer
  /** When a code or refresh token was used, in seconds since 1970. */
  consumed_at: number | null
  account_id: string | null
  grant_id: string | null
  uid: string | null
  /** Of a session: whether it was begun with a second factor. */
  second: Generated<boolean>
  /** What is over is not stored again: an ended session stays until no request can be on the way with it. */
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

/** Of `artifact`: what has not ended. */
export const isLive = sql<boolean>`(artifact.expires_at is null or artifact.expires_at > now())`
