import { useRef, useState } from 'react'

type Options = {
  /** Version of what the form was filled in from, or where to ask for it. */
  version: number | (() => Promise<number>)
  /** Sends the form as a change of that version. */
  save: (version: number) => Promise<unknown>
  /** The version that is stored now, for those who save over it. */
  latest: () => Promise<number>
  /** Puts what the server refused at its fields; answers what belongs to none of them, null for nothing. */
  refuse: (error: unknown) => unknown
  onSaved: () => void
}
export type Save = {
  /** Why it was not saved, when that belongs to no field. */
  failure: unknown
  isPending: boolean
  /** Whether everything is stored: nothing is lost by leaving. */
  isSaved: () => boolean
  send: () => void
  /** Saves over what somebody else saved meanwhile. */
  overwrite: () => void
}

/** Sends a form once at a time, and keeps why that failed. */
export function useSave({ version, save, latest, refuse, onSaved }: Options): Save {
  const [failure, setFailure] = useState<unknown>(null)
  const [isPending, setPending] = useState(false)
  const saved = useRef(false)
  const store = async (known: () => Promise<number> | number) => {
    if (isPending) return
    setFailure(null)
    setPending(true)
    try {
      await save(await known())
      saved.current = true
      onSaved()
    } catch (error) {
      setFailure(refuse(error))
    } finally {
      setPending(false)
    }
  }
  return {
    failure,
    isPending,
    isSaved: () => saved.current,
    send: () => void store(() => (typeof version === 'number' ? version : version())),
    overwrite: () => void store(latest),
  }
}
