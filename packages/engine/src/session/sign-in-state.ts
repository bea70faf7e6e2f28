import type { SignInMark } from '@clearway/contract/monitor/session/schema.ts'
import type { Browsing } from '../browser/instance.ts'

/** What came of signing in. */
export type SignedIn =
  | { kind: 'signed-in'; browsing: Browsing }
  | { kind: 'failed'; reason: 'authentication' | 'session-failed' | 'invalid-task'; detail: string }

/** Keeps a run signed in. */
export type SignInState = {
  mark: SignInMark | null
  /** How pages are opened now; signs in first where that is still to be done. */
  current(): Promise<SignedIn>
  /**
   * Signs in anew, once for all who found themselves signed out with `browsing`; who comes later gets what the first
   * got.
   */
  renew(browsing: Browsing): Promise<SignedIn>
}

/** Sign-ins of one run in one process: a site that throws us out again and again is not to be hammered. */
const mostSignIns = 8

/** @param signIn signs in and answers how pages are opened from then on */
export function openSignInState(signIn: () => Promise<SignedIn>, mark: SignInMark | null): SignInState {
  let latest: Promise<SignedIn> | null = null
  let count = 0
  const again = (): Promise<SignedIn> => {
    count += 1
    if (count > mostSignIns)
      return Promise.resolve({
        kind: 'failed',
        reason: 'session-failed',
        detail: `The site ended the session again and again: ${mostSignIns} sign-ins`,
      })
    latest = signIn()
    return latest
  }
  return {
    mark,
    current: () => latest ?? again(),
    async renew(browsing) {
      const known = await latest
      return known?.kind === 'signed-in' && known.browsing !== browsing ? known : again()
    },
  }
}
