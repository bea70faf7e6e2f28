import { isIP } from 'node:net'
import type { NewPasskey, PasskeyProof } from '@clearway/contract/account/member/provider/schema.ts'
import * as z from 'zod/mini'
import { findPerson, type Person, type SealedDeps } from '../store.ts'
import type { TicketKind } from '../table.ts'
import { issueTicket, takeTicket, type Ticket } from '../ticket/store.ts'
import { createRecoveryCodes } from './codes.ts'
import { recordPasskeyUse, findPasskey, savePasskey, listPasskeys } from './store.ts'

/** The relying party of passkeys: the product at its URL. */
export type RelyingParty = { id: string; origin: string; name: string }

/** Null if browsers create no passkeys for the URL: over http, or if its host is an IP address. */
export function findRelyingParty(publicUrl: string, name: string): RelyingParty | null {
  const { hostname, origin, protocol } = new URL(publicUrl)
  const isLocal = hostname === 'localhost'
  const isHttpsWithName = protocol === 'https:' && isIP(hostname.replaceAll(/[[\]]/g, '')) === 0
  return isLocal || isHttpsWithName ? { id: hostname, origin, name } : null
}

type PasskeyDeps = SealedDeps & { party: RelyingParty | null }
/** Loaded on demand: most processes never need it. */
const loadWebAuthn = () => import('@simplewebauthn/server')

/** A challenge is a ticket's token: usable once, for a limited time, and by one person. */
async function createChallenge(deps: PasskeyDeps, kind: TicketKind, personId: string | null) {
  const { token: ticketToken } = await issueTicket(deps, kind, personId)
  return Buffer.from(ticketToken, 'base64url')
}

const ClientData = z.object({ challenge: z.string() })

/** The challenge that a browser claims to have signed, with its ticket; null if it is no longer valid. */
async function takeChallenge(
  deps: PasskeyDeps,
  kind: TicketKind,
  clientDataJSON: string,
): Promise<{ challenge: string; ticket: Ticket } | null> {
  const clientDataText = Buffer.from(clientDataJSON, 'base64url').toString()
  const parsedClientData = ClientData.safeParse(parseJsonOrNull(clientDataText))
  if (!parsedClientData.success) return null
  const { challenge } = parsedClientData.data
  const challengeTicket = await takeTicket(deps, [kind], challenge)
  return challengeTicket && { challenge, ticket: challengeTicket }
}
export function parseJsonOrNull(jsonText: string): unknown {
  try {
    return JSON.parse(jsonText)
  } catch {
    return null
  }
}

/** Options for a browser to create a passkey. It must name its owner and verify the user by PIN or biometrics. */
export async function createPasskeyOptions(deps: PasskeyDeps & { party: RelyingParty }, person: Person): Promise<object> {
  const { generateRegistrationOptions } = await loadWebAuthn()
  const existingPasskeys = await listPasskeys(deps, person.id)
  return generateRegistrationOptions({
    rpName: deps.party.name,
    rpID: deps.party.id,
    userID: new Uint8Array(Buffer.from(person.id)),
    userName: person.email ?? person.username,
    userDisplayName: [person.firstName, person.lastName].filter(Boolean).join(' ') || person.username,
    challenge: new Uint8Array(await createChallenge(deps, 'new-passkey', person.id)),
    attestationType: 'none',
    excludeCredentials: existingPasskeys.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** Options for a browser to show a passkey: one of a given person, or any that the browser knows. */
export async function requestPasskeyOptions(
  deps: PasskeyDeps & { party: RelyingParty },
  personId: string | null,
): Promise<object> {
  const { generateAuthenticationOptions } = await loadWebAuthn()
  const allowedPasskeys = personId === null ? [] : await listPasskeys(deps, personId)
  return generateAuthenticationOptions({
    rpID: deps.party.id,
    challenge: new Uint8Array(await createChallenge(deps, 'passkey', personId)),
    allowCredentials: allowedPasskeys.map(({ id }) => ({ id })),
    userVerification: 'required',
  })
}

/**
 * Adds a passkey that a browser has created.
 * @returns the recovery codes that come with the first factor, else an empty list; null for an invalid passkey
 */
export async function addPasskey(
  deps: PasskeyDeps & { party: RelyingParty },
  personId: string,
  { name, passkey }: { name: string; passkey: NewPasskey },
): Promise<string[] | null> {
  const takenChallenge = await takeChallenge(deps, 'new-passkey', passkey.response.clientDataJSON)
  if (takenChallenge?.ticket.personId !== personId) return null
  const { verifyRegistrationResponse } = await loadWebAuthn()
  // The input comes from outside, so every error means that it is invalid.
  const verifiedRegistration = await verifyRegistrationResponse({
    response: { ...passkey, clientExtensionResults: {} },
    expectedChallenge: takenChallenge.challenge,
    expectedOrigin: deps.party.origin,
    expectedRPID: deps.party.id,
  }).catch(() => null)
  if (!verifiedRegistration?.verified) return null
  const { id: passkeyId, publicKey, counter } = verifiedRegistration.registrationInfo.credential
  const { codes: recoveryCodes, hashes: codeHashes } = createRecoveryCodes()
  const newPasskey = { id: passkeyId, name, publicKey: Buffer.from(publicKey), counter }
  const isFirstFactor = await savePasskey(deps, personId, newPasskey, codeHashes)
  return isFirstFactor === null ? null : isFirstFactor ? recoveryCodes : []
}

/** The owner of a passkey, if its proof is valid. @param personId the required owner; null at a sign-in */
export async function verifyPasskey(deps: PasskeyDeps, proof: PasskeyProof, personId: string | null): Promise<Person | null> {
  const { party } = deps
  const takenChallenge = await takeChallenge(deps, 'passkey', proof.response.clientDataJSON)
  const storedPasskey = await findPasskey(deps, proof.id)
  if (!party || !storedPasskey || takenChallenge?.ticket.personId !== personId) return null
  if (personId !== null && storedPasskey.personId !== personId) return null
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  const credential = { id: storedPasskey.id, publicKey: new Uint8Array(storedPasskey.publicKey), counter: storedPasskey.counter }
  const verifiedAuthentication = await verifyAuthenticationResponse({
    response: { ...proof, clientExtensionResults: {} },
    expectedChallenge: takenChallenge.challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential,
  }).catch(() => null)
  if (
    !verifiedAuthentication?.verified ||
    !(await recordPasskeyUse(deps, storedPasskey.id, verifiedAuthentication.authenticationInfo.newCounter))
  )
    return null
  const passkeyOwner = await findPerson(deps, storedPasskey.personId)
  return passkeyOwner && !passkeyOwner.deactivatedAt ? passkeyOwner : null
}
