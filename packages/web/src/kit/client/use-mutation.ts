import { useMutation as useAnyMutation, type UseMutationOptions, type UseMutationResult } from '@tanstack/react-query'
import { useRef } from 'react'

/** Key of the variables of a call; null if they cannot be compared, like files. */
function getCallKey(variables: unknown): string | null {
  let isComparable = true
  const key = JSON.stringify(variables, (_name, value: unknown) => {
    if (value instanceof Blob || value instanceof FormData) isComparable = false
    return value
  })
  return isComparable ? (key ?? '') : null
}

/**
 * Sends a mutation once per action: while the last call is in progress, the same variables share its result. A second click
 * comes before React has disabled a button. A call with other variables in between is its own action, so the last one decides.
 */
export function useMutation<Data = unknown, Failure = Error, Variables = void, Result = unknown>(
  options: UseMutationOptions<Data, Failure, Variables, Result>,
): UseMutationResult<Data, Failure, Variables, Result> {
  const lastCallRef = useRef<{ key: string | null; promise: Promise<Data> } | null>(null)
  const mutation = useAnyMutation<Data, Failure, Variables, Result>(options)
  const callOnce: typeof mutation.mutateAsync = (...callArguments) => {
    const key = getCallKey(callArguments[0])
    if (key !== null && lastCallRef.current?.key === key) return lastCallRef.current.promise
    const startedCall = { key, promise: mutation.mutateAsync(...callArguments) }
    lastCallRef.current = startedCall
    const release = () => {
      if (lastCallRef.current === startedCall) lastCallRef.current = null
    }
    startedCall.promise.then(release, release)
    return startedCall.promise
  }
  return {
    ...mutation,
    mutateAsync: callOnce,
    // Failures are in the state of the mutation, and in its callbacks.
    mutate: (...callArguments) => void callOnce(...callArguments).catch(() => undefined),
  }
}
