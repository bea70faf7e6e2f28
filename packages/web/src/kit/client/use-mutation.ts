import { useMutation as useAnyMutation, type UseMutationOptions, type UseMutationResult } from '@tanstack/react-query'
import { useRef } from 'react'

const fileIds = new WeakMap<Blob, number>()
let lastFileId = 0

/** Returns an id that is unique within this page: the content of a file has no text form, so only the same object is the same file. */
function getFileId(file: Blob): number {
  const fileId = fileIds.get(file) ?? ++lastFileId
  fileIds.set(file, fileId)
  return fileId
}

/** Key of the variables of a call; equal for equal values and the same files. */
const getCallKey = (variables: unknown): string =>
  JSON.stringify(variables, (_name, value: unknown) => (value instanceof Blob ? { fileId: getFileId(value) } : value)) ?? ''

/**
 * Sends a mutation once per action: while the last call is in progress, the same variables share its result. A second click
 * comes before React has disabled a button. A call with other variables in between is its own action, so the last one decides.
 */
export function useMutation<Data = unknown, Failure = Error, Variables = void, Result = unknown>(
  options: UseMutationOptions<Data, Failure, Variables, Result>,
): UseMutationResult<Data, Failure, Variables, Result> {
  const lastCallRef = useRef<{ key: string; promise: Promise<Data> } | null>(null)
  const mutation = useAnyMutation<Data, Failure, Variables, Result>(options)
  const callOnce: typeof mutation.mutateAsync = (...callArguments) => {
    const key = getCallKey(callArguments[0])
    if (lastCallRef.current?.key === key) return lastCallRef.current.promise
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
