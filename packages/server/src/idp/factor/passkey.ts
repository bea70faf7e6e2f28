import { isIP } from 'node:net'
import type { NewPasskey, PasskeyProof } from '@clearway/contract/account/member/provider/schema.ts'
import * as z from 'zod/mini'
import { findPerson, type Person, type Sealed } from '../store.ts'
import type { TicketKind } from '../table.ts'
import { issueTicket, takeTicket, type Ticket } from '../ticket/store.ts'
import { newCodes } from './codes.ts'
import { countPasskey, findPasskey, keepPasskey, passkeysOf } from './store.ts'

/** What passkeys are made for, and good for: the product at its URL. */
export type Party = { id: string; origin: string; name: string }

/** Null where browsers make no passkeys: over http, and where the URL has no name. */
export function partyOf(publicUrl: string, name: string): Party | null {
  const { hostname, origin, protocol } = new URL(publicUrl)
  const isLocal = hostname === 'localhost'
  const isNamed = protocol === 'https:' && isIP(hostname.replaceAll(/[[\]]/g, '')) === 0
  return isLocal || isNamed ? { id: hostname, origin, name } : null
}

type Deps = Sealed & { party: Party | null }
/** A part of the program that most starts never need. */
const webAuthn = () => import('@simplewebauthn/server')

/** A challenge is the token of a ticket: good once, for a while, and for whom it was made. */
async function challengeFor(deps: Deps, kind: TicketKind, personId: string | null) {
  const { token } = await issueTicket(deps, kind, personId)
  return Buffer.from(token, 'base64url')
}

const ClientData = z.object({ challenge: z.string() })

/** The challenge that a browser says it has answered, and the ticket that it was; null for one that is no longer good. */
async function answered(
  deps: Deps,
  kind: TicketKind,
  clientDataJSON: string,
): Promise<{ challenge: string; ticket: Ticket } | null> {
  const text = Buffer.from(clientDataJSON, 'base64url').toString()
  const read = ClientData.safeParse(parsedJson(text))
  if (!read.success) return null
  const { challenge } = read.data
  const ticket = await takeTicket(deps, [kind], challenge)
  return ticket && { challenge, ticket }
}
/** What a text from outside says as JSON; null when it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** What a browser needs to make a passkey. Only such are made that name their owner, and ask for a PIN, a finger or a face. */
export async function offerPasskey(deps: Deps & { party: Party }, person: Person): Promise<object> {
  const { generateRegistrationOptions } = await webAuthn()
  const known = await passkeysOf(deps, person.id)
  return generateRegistrationOptions({
    rpName: deps.party.name,
    rpID: deps.party.id,
    userID: new Uint8Array(Buffer.from(person.id)),
    userName: person.email ?? person.username,
    userDisplayName: [person.firstName, person.lastName].filter(Boolean).join(' ') || person.username,
    challenge: new Uint8Array(await challengeFor(deps, 'new-passkey', person.id)),
    attestationType: 'none',
    excludeCredentials: known.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** What a browser needs to show a passkey: one of somebody, or of whomever it knows. */
export async function askForPasskey(deps: Deps & { party: Party }, personId: string | null): Promise<object> {
  const { generateAuthenticationOptions } = await webAuthn()
  const known = personId === null ? [] : await passkeysOf(deps, personId)
  return generateAuthenticationOptions({
    rpID: deps.party.id,
    challenge: new Uint8Array(await challengeFor(deps, 'passkey', personId)),
    allowCredentials: known.map(({ id }) => ({ id })),
    userVerification: 'required',
  })
}

/**
 * Adds a passkey that a browser has made for somebody.
 * @returns the recovery codes that came with the first factor; null for what cannot be taken
 */
export async function addPasskey(
  deps: Deps & { party: Party },
  personId: string,
  { name, passkey }: { name: string; passkey: NewPasskey },
): Promise<string[] | null> {
  const asked = await answered(deps, 'new-passkey', passkey.response.clientDataJSON)
  if (asked?.ticket.personId !== personId) return null
  const { verifyRegistrationResponse } = await webAuthn()
  // Whatever is wrong with it is thrown: it comes from outside.
  const made = await verifyRegistrationResponse({
    response: { ...passkey, clientExtensionResults: {} },
    expectedChallenge: asked.challenge,
    expectedOrigin: deps.party.origin,
    expectedRPID: deps.party.id,
  }).catch(() => null)
  if (!made?.verified) return null
  const { id, publicKey, counter } = made.registrationInfo.credential
  const { codes, hashes } = newCodes()
  const key = { id, name, publicKey: Buffer.from(publicKey), counter }
  const isFirst = await keepPasskey(deps, personId, key, hashes)
  return isFirst === null ? null : isFirst ? codes : []
}

/**
 * Whose passkey was shown, when all is right with it.
 * @param personId whose it has to be; null for whoever signs in
 */
export async function shownPasskey(
  deps: Deps,
  proof: PasskeyProof,
  personId: string | null,
): Promise<Person | null> {
  const { party } = deps
  const asked = await answered(deps, 'passkey', proof.response.clientDataJSON)
  const key = await findPasskey(deps, proof.id)
  if (!party || !key || asked?.ticket.personId !== personId) return null
  if (personId !== null && key.personId !== personId) return null
  const { verifyAuthenticationResponse } = await webAuthn()
  const credential = { id: key.id, publicKey: new Uint8Array(key.publicKey), counter: key.counter }
  const shown = await verifyAuthenticationResponse({
    response: { ...proof, clientExtensionResults: {} },
    expectedChallenge: asked.challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential,
  }).catch(() => null)
  if (!shown?.verified || !(await countPasskey(deps, key.id, shown.authenticationInfo.newCounter)))
    return null
  const person = await findPerson(deps, key.personId)
  return person && !person.deactivatedAt ? person : null
}
