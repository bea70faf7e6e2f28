import { monitorApi } from '@clearway/contract/monitor/api.ts'
import type { SignInTryEvent } from '@clearway/contract/monitor/run/preview/schema.ts'
import { useEffect, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import { buildUrl } from '../../../kit/client/client.ts'
import { streamEvents } from '../../../kit/client/event-stream.ts'
import { useSession } from '../../user/model.ts'
import type { ScopePreviewBody } from './use-scope.ts'

export type SignInTryResult = z.output<typeof SignInTryEvent>
type SignInTryState = { isWorking: boolean; result: SignInTryResult | null; failure: unknown }
const initialTry: SignInTryState = { isWorking: false, result: null, failure: null }

/** Tries the sign-in of a form's settings. Stops when the user leaves the screen. */
export function useSignInTry() {
  const { deps } = useSession()
  const [tryState, setTryState] = useState(initialTry)
  const runningTry = useRef<AbortController>(null)
  useEffect(() => () => runningTry.current?.abort(), [])
  const startTry = async (body: ScopePreviewBody) => {
    runningTry.current?.abort()
    const abortController = new AbortController()
    runningTry.current = abortController
    setTryState({ ...initialTry, isWorking: true })
    try {
      const tryUrl = buildUrl(monitorApi.trySignIn, {})
      for await (const event of streamEvents<SignInTryResult>(deps, tryUrl, abortController.signal, body))
        setTryState((previous) => ({ ...previous, result: event }))
    } catch (tryFailure) {
      if (!abortController.signal.aborted) setTryState((previous) => ({ ...previous, failure: tryFailure }))
    }
    if (runningTry.current === abortController) setTryState((previous) => ({ ...previous, isWorking: false }))
  }
  return { signInTry: tryState, start: startTry, stop: () => runningTry.current?.abort() }
}
