import { monitorApi } from '@clearway/contract/monitor/api.ts'
import type { PageButtonsEvent, SignInTryEvent } from '@clearway/contract/monitor/run/preview/schema.ts'
import { useEffect, useRef, useState } from 'react'
import { buildUrl } from '../../../kit/client/client.ts'
import { streamEvents } from '../../../kit/client/event-stream.ts'
import { useSession } from '../../user/model.ts'
import type { ScopePreviewBody } from './use-scope.ts'

/** Results of unsaved settings that arrive in one event. */
type TryResults = { trySignIn: SignInTryEvent; listPageButtons: PageButtonsEvent }
export type TryName = keyof TryResults
type TryState<T> = { isWorking: boolean; result: T | null; failure: unknown }

/** Tries a form's settings. Stops when the user leaves the screen. */
export function useTry<Name extends TryName>(name: Name) {
  type Result = TryResults[Name]
  const { deps } = useSession()
  const [tryState, setTryState] = useState<TryState<Result>>({ isWorking: false, result: null, failure: null })
  const runningTry = useRef<AbortController>(null)
  useEffect(() => () => runningTry.current?.abort(), [])
  const startTry = async (body: ScopePreviewBody) => {
    runningTry.current?.abort()
    const abortController = new AbortController()
    runningTry.current = abortController
    setTryState({ isWorking: true, result: null, failure: null })
    try {
      for await (const event of streamEvents<Result>(deps, buildUrl(monitorApi[name], {}), abortController.signal, body))
        setTryState((previous) => ({ ...previous, result: event }))
    } catch (tryFailure) {
      if (!abortController.signal.aborted) setTryState((previous) => ({ ...previous, failure: tryFailure }))
    }
    if (runningTry.current === abortController) setTryState((previous) => ({ ...previous, isWorking: false }))
  }
  return { ...tryState, start: startTry, stop: () => runningTry.current?.abort() }
}
