import { useMutation as useAnyMutation, type UseMutationOptions, type UseMutationResult } from '@tanstack/react-query'
import { useRef } from 'react'

/** Key of the variables of a call. Files have no text: two calls with files are the same call. */
const getCallKey = (variables: unknown): string => JSON.stringify(variables) ?? ''

/**
 * A mutation that is sent once per action: while a call is in progress, another one with the same variables gets its
 * result. A second click comes before React has disabled a button.
 */
export function useMutation<Data = unknown, Failure = Error, Variables = void, Result = unknown>(
  options: UseMutationOptions<Data, Failure, Variables, Result>,
): UseMutationResult<Data, Failure, Variables, Result> {
  const callsInProgress = useRef(new Map<string, Promise<Data>>()).current
  const { mutationFn } = options
  const mutation = useAnyMutation<Data, Failure, Variables, Result>({
    ...options,
    ...(mutationFn && {
      mutationFn: async (variables, context) => {
        try {
          return await mutationFn(variables, context)
        } finally {
          callsInProgress.delete(getCallKey(variables))
        }
      },
    }),
  })
  const callOnce: typeof mutation.mutateAsync = (...callArguments) => {
    const callKey = getCallKey(callArguments[0])
    const callInProgress = callsInProgress.get(callKey)
    if (callInProgress) return callInProgress
    const startedCall = mutation.mutateAsync(...callArguments)
    callsInProgress.set(callKey, startedCall)
    return startedCall
  }
  return {
    ...mutation,
    mutateAsync: callOnce,
    // Failures are in the state of the mutation, and in its callbacks.
    mutate: (...callArguments) => void callOnce(...callArguments).catch(() => undefined),
  }
}
