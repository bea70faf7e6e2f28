import type { SignInMark } from '@clearway/contract/monitor/session/schema.ts'
import type { Browsing } from '../browser/instance.ts'

export type SignInResult =
  | { kind: 'signed-in'; browsing: Browsing }
  | { kind: 'failed'; reason: 'authentication' | 'session-failed' | 'invalid-task'; detail: string }

/** Keeps a run signed in. */
export type SignInState = {
  mark: SignInMark | null
  /** Returns the current browsing settings; signs in first if necessary. */
  current(): Promise<SignInResult>
  /** Signs in again, once for all visits that were signed out with `browsing`. Later callers get the same result. */
  renew(browsing: Browsing): Promise<SignInResult>
}

/** Maximum number of sign-ins of one run in one process: do not hammer a site that keeps ending sessions. */
const maxSignIns = 8

/** @param signIn signs in and returns the browsing settings from then on */
export function openSignInState(signIn: () => Promise<SignInResult>, mark: SignInMark | null): SignInState {
  let latestSignIn: Promise<SignInResult> | null = null
  let signInCount = 0
  const signInAgain = (): Promise<SignInResult> => {
    signInCount += 1
    if (signInCount > maxSignIns)
      return Promise.resolve({
        kind: 'failed',
        reason: 'session-failed',
        detail: `The site ended the session again and again: ${maxSignIns} sign-ins`,
      })
    latestSignIn = signIn()
    return latestSignIn
  }
  return {
    mark,
    current: () => latestSignIn ?? signInAgain(),
    async renew(browsing) {
      const latestResult = await latestSignIn
      return latestResult?.kind === 'signed-in' && latestResult.browsing !== browsing ? latestResult : signInAgain()
    },
  }
}
