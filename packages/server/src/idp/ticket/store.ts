import { createHash, randomBytes } from 'node:crypto'
import { type Kysely, type Selectable, sql } from 'kysely'
import { inTransaction } from '../../kit/database.ts'
import { lockPerson } from '../store.ts'
import type { IdpTables, TicketKind } from '../table.ts'

type Db = { db: Kysely<IdpTables> }

/** A plain hash suffices for 256 random bits. */
const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
const hourMs = 3_600_000

const ticketLifetimeMs: Readonly<Record<TicketKind, number>> = {
  setup: 7 * 24 * hourMs,
  invite: 7 * 24 * hourMs,
  reset: hourMs,
  // Covers the time between two pages of a sign-in.
  pass: 60_000,
  proved: 15 * 60_000,
  second: 5 * 60_000,
  enrol: 15 * 60_000,
  // Matches the time-out of browsers for passkeys.
  passkey: 5 * 60_000,
  'new-passkey': 5 * 60_000,
  // Delivery to a new address may be slow.
  email: 24 * hourMs,
}
/** Each group allows one ticket per person: a new one replaces the others. */
const exclusiveKinds: readonly (readonly TicketKind[])[] = [['invite', 'reset'], ['email']]

/** A ticket to issue. `epoch` is the person's at the proof of identity; it defaults to the current one. */
type TicketRequest = { kind: TicketKind; personId: string | null; epoch?: number; email?: string }

/** Creates a ticket in the caller's transaction. Its token is only available in the returned value. */
export async function createTicket(
  trx: Db['db'],
  { kind, personId, epoch, email }: TicketRequest,
): Promise<{ token: string; expiresAt: Date }> {
  const ticketToken = randomBytes(32).toString('base64url')
  const exclusiveGroup = exclusiveKinds.find((kinds) => kinds.includes(kind))
  if (personId !== null && exclusiveGroup) {
    // Serializes concurrent requests, so that the later replaces the earlier.
    await lockPerson(trx, personId)
    await trx.deleteFrom('ticket').where('person_id', '=', personId).where('kind', 'in', exclusiveGroup).execute()
  }
  const currentEpoch = sql<number>`(select epoch from person where id = ${personId})`
  const { expires_at: expiresAt } = await trx
    .insertInto('ticket')
    .values({
      hash: hashToken(ticketToken),
      kind,
      person_id: personId,
      expires_at: sql<Date>`now() + make_interval(secs => ${ticketLifetimeMs[kind] / 1000})`,
      epoch: epoch ?? currentEpoch,
      email: email ?? null,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return { token: ticketToken, expiresAt }
}

/** Creates a ticket in a transaction of its own. */
export const issueTicket = (
  { db }: Db,
  kind: TicketKind,
  personId: string | null,
  epoch?: number,
): Promise<{ token: string; expiresAt: Date }> =>
  inTransaction(db, (trx) => createTicket(trx, { kind, personId, ...(epoch !== undefined && { epoch }) }))

export type Ticket = Pick<Selectable<IdpTables['ticket']>, 'kind' | 'epoch' | 'email'> & { personId: string | null }
const ticketColumns = ['kind', 'person_id as personId', 'epoch', 'email'] as const
const isUnexpired = sql<boolean>`expires_at > now()`
/** No ticket token is longer. */
const maxTokenLength = 100

/** The ticket of a token; null if it is unknown, used or expired. */
export async function readTicket({ db }: Db, kinds: readonly TicketKind[], token: string): Promise<Ticket | null> {
  if (token.length > maxTokenLength) return null
  const ticketQuery = db.selectFrom('ticket').select(ticketColumns)
  const validTicketQuery = ticketQuery.where('hash', '=', hashToken(token)).where('kind', 'in', kinds).where(isUnexpired)
  return (await validTicketQuery.executeTakeFirst()) ?? null
}

/** Reads and deletes a ticket; of two concurrent callers, one gets it. */
export async function takeTicket({ db }: Db, kinds: readonly TicketKind[], token: string): Promise<Ticket | null> {
  if (token.length > maxTokenLength) return null
  const deleteQuery = db.deleteFrom('ticket').where('hash', '=', hashToken(token)).where('kind', 'in', kinds)
  return (await deleteQuery.where(isUnexpired).returning(ticketColumns).executeTakeFirst()) ?? null
}

export const deleteTickets = ({ db }: Db, kind: TicketKind): Promise<unknown> =>
  db.deleteFrom('ticket').where('kind', '=', kind).execute()
