import { createHash, randomBytes } from 'node:crypto'
import { type Kysely, type Selectable, sql } from 'kysely'
import { inTransaction } from '../../kit/database.ts'
import { lockPerson } from '../store.ts'
import type { IdpTables, TicketKind } from '../table.ts'

type Db = { db: Kysely<IdpTables> }

/** 256 random bits, so a plain hash tells nothing of them. */
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()
const hourMs = 3_600_000

/** How long each kind of ticket is good, ms. */
const ticketLife: Readonly<Record<TicketKind, number>> = {
  setup: 7 * 24 * hourMs,
  invite: 7 * 24 * hourMs,
  reset: hourMs,
  // Between two pages of a sign-in.
  pass: 60_000,
  proved: 15 * 60_000,
  second: 5 * 60_000,
  enrol: 15 * 60_000,
  // As long as a browser waits for the person.
  passkey: 5 * 60_000,
  'new-passkey': 5 * 60_000,
  // Mail to a new address may take its time.
  email: 24 * hourMs,
}
/** Of the kinds of each group somebody has one ticket at a time: the newest. */
const single: readonly (readonly TicketKind[])[] = [['invite', 'reset'], ['email']]

/** A ticket to be issued; `epoch` of the person at the proof that it stands for, else the current one. */
type Wanted = { kind: TicketKind; personId: string | null; epoch?: number; email?: string }

/** Makes a ticket within a transaction; the answer is the only place where its token can be read. */
export async function putTicket(
  trx: Db['db'],
  { kind, personId, epoch, email }: Wanted,
): Promise<{ token: string; expiresAt: Date }> {
  const token = randomBytes(32).toString('base64url')
  const group = single.find((kinds) => kinds.includes(kind))
  if (personId !== null && group) {
    // Of two that are made at once, the later ends the earlier.
    await lockPerson(trx, personId)
    await trx.deleteFrom('ticket').where('person_id', '=', personId).where('kind', 'in', group).execute()
  }
  const now = sql<number>`(select epoch from person where id = ${personId})`
  const { expires_at: expiresAt } = await trx
    .insertInto('ticket')
    .values({
      hash: hashOf(token),
      kind,
      person_id: personId,
      expires_at: sql<Date>`now() + make_interval(secs => ${ticketLife[kind] / 1000})`,
      epoch: epoch ?? now,
      email: email ?? null,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return { token, expiresAt }
}

/** The same, by itself. */
export const issueTicket = (
  { db }: Db,
  kind: TicketKind,
  personId: string | null,
  epoch?: number,
): Promise<{ token: string; expiresAt: Date }> =>
  inTransaction(db, (trx) => putTicket(trx, { kind, personId, ...(epoch !== undefined && { epoch }) }))

export type Ticket = Pick<Selectable<IdpTables['ticket']>, 'kind' | 'epoch' | 'email'> & {
  personId: string | null
}
const shown = ['kind', 'person_id as personId', 'epoch', 'email'] as const
const live = sql<boolean>`expires_at > now()`
/** No token of ours is longer. */
const mostToken = 100

/** What a token is good for; null when it never was, has been used, or has expired. */
export async function readTicket(
  { db }: Db,
  kinds: readonly TicketKind[],
  token: string,
): Promise<Ticket | null> {
  if (token.length > mostToken) return null
  const query = db.selectFrom('ticket').select(shown)
  const found = query.where('hash', '=', hashOf(token)).where('kind', 'in', kinds).where(live)
  return (await found.executeTakeFirst()) ?? null
}

/** The same, and it is good no more: of two who come at once, one gets it. */
export async function takeTicket(
  { db }: Db,
  kinds: readonly TicketKind[],
  token: string,
): Promise<Ticket | null> {
  if (token.length > mostToken) return null
  const query = db.deleteFrom('ticket').where('hash', '=', hashOf(token)).where('kind', 'in', kinds)
  return (await query.where(live).returning(shown).executeTakeFirst()) ?? null
}

/** Ends every ticket of a kind. */
export const dropTickets = ({ db }: Db, kind: TicketKind): Promise<unknown> =>
  db.deleteFrom('ticket').where('kind', '=', kind).execute()
