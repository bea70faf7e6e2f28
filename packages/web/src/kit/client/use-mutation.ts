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
 * Reactions to the end of one call. The first two are for the screen: neither is called if the component was removed or has sent
 * another call in the meantime.
 */
type CallReactions<Data> = {
  onSuccess?: (data: Data) => void
  onSettled?: () => void
  /** Always called once, so that the user learns of each failure. */
  onError?: (error: Error) => void
}

type WithReactions<LibraryMutation, Data, Variables> = LibraryMutation extends unknown
  ? Omit<LibraryMutation, 'mutate' | 'mutateAsync'> & {
      mutate: (variables: Variables, reactions?: CallReactions<Data>) => void
      mutateAsync: (variables: Variables) => Promise<Data>
    }
  : never
export type Mutation<Data, Variables, Result = unknown> = WithReactions<
  UseMutationResult<Data, Error, Variables, Result>,
  Data,
  Variables
>

/**
 * Sends a mutation once per action: while the last call is in progress, the same variables share its result. A second click
 * comes before React has disabled a button. A call with other variables in between is its own action, so the last one decides.
 */
export function useMutation<Data = unknown, Variables = void, Result = unknown>(
  options: UseMutationOptions<Data, Error, Variables, Result>,
): Mutation<Data, Variables, Result> {
  const lastCallRef = useRef<{ key: string; promise: Promise<Data> } | null>(null)
  const mutation = useAnyMutation<Data, Error, Variables, Result>(options)
  const callOnce = (variables: Variables, { onError, ...screenReactions }: CallReactions<Data> = {}): Promise<Data> => {
    const key = getCallKey(variables)
    if (lastCallRef.current?.key === key) return lastCallRef.current.promise
    const startedCall = { key, promise: mutation.mutateAsync(variables, screenReactions) }
    lastCallRef.current = startedCall
    const release = () => {
      if (lastCallRef.current === startedCall) lastCallRef.current = null
    }
    startedCall.promise.then(release, (error: Error) => {
      release()
      onError?.(error)
    })
    return startedCall.promise
  }
  return {
    ...mutation,
    mutateAsync: (variables) => callOnce(variables),
    // Failures are in the state of the mutation, and in the reactions.
    mutate: (variables, reactions) => void callOnce(variables, reactions).catch(() => undefined),
  }
}
