import type { SignInMark } from '@clearway/contract/monitor/session/schema.ts'
import { sleep } from '../browser/deadline.ts'
import type { Browsing } from '../browser/instance.ts'
import type { SignInProof } from './proof.ts'

export type SignInResult =
  | {
      kind: 'signed-in'
      browsing: Browsing
      /** Learned by a scripted sign-in. */
      proof?: SignInProof
    }
  | {
      kind: 'failed'
      reason: 'authentication' | 'session-failed' | 'invalid-task'
      detail: string
      /** The page that the sign-in ended on. */
      lastPage?: SignInView
    }

export type SignedIn = Extract<SignInResult, { kind: 'signed-in' }>

/** Looks for the reason why a session ended. Returns the session to use from now on. */
export type SignOutCheck = (signedIn: SignedIn, signInAgain: () => Promise<SignInResult>) => Promise<SignInResult>

/** Signs in for all processes of a run, or takes over the session of another one. */
export type ShareSignIn = (signInHere: () => Promise<SignInResult>) => Promise<SignInResult>

/** A page as a person who sets up a sign-in sees it. */
export type SignInView = {
  url: string
  title: string
  status: number | null
  /** JPEG without typed values; null if there is none. */
  screenshot: Uint8Array | null
}

/** Keeps a run signed in. */
export type SignInState = {
  mark: SignInMark | null
  /** Returns the current browsing settings; signs in first if necessary. */
  current(): Promise<SignInResult>
  /** Signs in again, once for all visits that were signed out with `browsing`. Later callers get the same result. */
  renew(browsing: Browsing): Promise<SignInResult>
  /** The proof of the latest sign-in; null before it. */
  getProof(): SignInProof | null
  /** Notes a page that was proved signed in: the session works. */
  noteProved(): void
}

/** Maximum number of sign-ins in a row without a page that was proved signed in. */
const maxVainSignIns = 3
const retryDelayMs = 1000

/**
 * @param signIn signs in and returns the browsing settings from then on
 * @param check looks for the reason why the previous session ended, before the new one is used
 * @param share takes over the session of another process, or signs in for all of them
 */
export function openSignInState(
  signIn: (knownProof: SignInProof | null) => Promise<SignInResult>,
  mark: SignInMark | null,
  check: SignOutCheck = (signedIn) => Promise.resolve(signedIn),
  share: ShareSignIn = (signInHere) => signInHere(),
): SignInState {
  let latestSignIn: Promise<SignInResult> | null = null
  let latestProof: SignInProof | null = null
  let vainCount = 0

  /** A busy machine gets further attempts. A refused password does not: more of them lock the account. */
  const signInPatiently = async (): Promise<SignInResult> => {
    for (;;) {
      vainCount += 1
      if (vainCount > maxVainSignIns)
        return {
          kind: 'failed',
          reason: 'session-failed',
          detail: `The site ended the session again and again: ${maxVainSignIns} sign-ins in a row without a page`,
        }
      const isRenewal = latestProof !== null
      const firstResult = await signIn(latestProof)
      const signInResult =
        isRenewal && firstResult.kind === 'signed-in' ? await check(firstResult, () => signIn(latestProof)) : firstResult
      if (signInResult.kind === 'signed-in') latestProof = signInResult.proof ?? latestProof
      const isFinal = signInResult.kind === 'signed-in' || signInResult.reason !== 'session-failed' || vainCount >= maxVainSignIns
      if (isFinal) return signInResult
      await sleep(retryDelayMs)
    }
  }
  const signInAgain = (): Promise<SignInResult> => {
    latestSignIn = share(signInPatiently).then((signInResult) => {
      if (signInResult.kind === 'signed-in') latestProof = signInResult.proof ?? latestProof
      return signInResult
    })
    return latestSignIn
  }
  return {
    mark,
    current: () => latestSignIn ?? signInAgain(),
    async renew(browsing) {
      const renewedSignIn = latestSignIn
      const latestResult = await renewedSignIn
      // Another visit has started a sign-in for all of them.
      if (latestSignIn !== renewedSignIn) return latestSignIn!
      const isCurrent = latestResult?.kind === 'signed-in' && latestResult.browsing === browsing
      return latestResult && !isCurrent ? latestResult : signInAgain()
    },
    getProof: () => latestProof,
    noteProved() {
      vainCount = 0
    },
  }
}
