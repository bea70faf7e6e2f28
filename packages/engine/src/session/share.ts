import type { Browsing, StorageState } from '../browser/instance.ts'
import type { SignInProof } from './proof.ts'
import type { ShareSignIn, SignInResult } from './sign-in-state.ts'

/** The session of a run, exchanged between its processes. One process at a time holds the right to sign in. */
export type SessionExchange = {
  /**
   * Returns a session newer than `generation`, or the turn of this process to sign in. Waits while another process signs in, and
   * takes over from one that died. Null: the run was stopped.
   */
  take(generation: number): Promise<{ kind: 'theirs' | 'ours'; generation: number; text: string } | null>
  /** Ends the turn of this process. Null: the next process tries. The text is secret. */
  give(generation: number, text: string | null): Promise<void>
}

type SharedSession =
  | { kind: 'session'; storageState: StorageState; proof: SignInProof | null }
  /** The site does not tolerate copies: each process signs in by itself. */
  | { kind: 'alone' }
  /** Refused for good: another attempt may lock the account. */
  | { kind: 'refused'; detail: string }

/** A value in the storage that may be a token, which only one client may renew. */
const isTokenLike = (value: string): boolean => /[\w.-]{20}/.test(value) && /\d/.test(value)

/** Returns true if a copy of the state works in another process: cookies, but no tokens that pages keep and renew. */
function canBeCopied({ scripts, storageState }: Browsing, baseBrowsing: Browsing): boolean {
  if (!storageState || scripts !== baseBrowsing.scripts) return false
  return storageState.origins.every(
    (origin) =>
      origin.localStorage.every(({ value }) => !isTokenLike(value)) &&
      !('indexedDB' in origin && Array.isArray(origin.indexedDB) && origin.indexedDB.length > 0),
  )
}

function toSharedSession(result: SignInResult, baseBrowsing: Browsing): SharedSession | null {
  if (result.kind === 'failed') return result.reason === 'session-failed' ? null : { kind: 'refused', detail: result.detail }
  if (!canBeCopied(result.browsing, baseBrowsing)) return { kind: 'alone' }
  return { kind: 'session', storageState: result.browsing.storageState!, proof: result.proof ?? null }
}

/**
 * Shares the sign-in of a run.
 * @param openBase returns the settings that a session is added to
 */
export function openSessionShare(
  exchange: SessionExchange,
  baseBrowsing: Browsing,
  openBase: () => Promise<SignInResult>,
): ShareSignIn {
  let generation = 0
  let isAlone = false
  const signInForAll = async (nextGeneration: number, signInHere: () => Promise<SignInResult>): Promise<SignInResult> => {
    let sharedSession: SharedSession | null = null
    try {
      const result = await signInHere()
      sharedSession = toSharedSession(result, baseBrowsing)
      isAlone = sharedSession?.kind === 'alone'
      return result
    } finally {
      if (sharedSession) generation = nextGeneration
      await exchange.give(nextGeneration, sharedSession && JSON.stringify(sharedSession))
    }
  }
  return async (signInHere) => {
    if (isAlone) return signInHere()
    const turn = await exchange.take(generation)
    if (!turn) return { kind: 'failed', reason: 'session-failed', detail: 'The run was stopped' }
    if (turn.kind === 'ours') return signInForAll(turn.generation, signInHere)
    generation = turn.generation
    const sharedSession = JSON.parse(turn.text) as SharedSession
    if (sharedSession.kind === 'refused') return { kind: 'failed', reason: 'authentication', detail: sharedSession.detail }
    isAlone = sharedSession.kind === 'alone'
    if (sharedSession.kind === 'alone') return signInHere()
    const base = await openBase()
    if (base.kind === 'failed') return base
    const { storageState, proof } = sharedSession
    return { kind: 'signed-in', browsing: { ...base.browsing, storageState }, ...(proof ? { proof } : {}) }
  }
}
