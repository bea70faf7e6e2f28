import { useRef, useState } from 'react'

type SaveOptions = {
  /** Version of the data that filled the form, or a function that fetches it. */
  version: number | (() => Promise<number>)
  save: (version: number) => Promise<unknown>
  /** Fetches the currently stored version, to overwrite it. */
  fetchLatestVersion: () => Promise<number>
  /** Shows the server's errors at their fields. Returns the error that belongs to no field; null if there is none. */
  showServerErrors: (error: unknown) => unknown
  onSaved: () => void
}
export type SaveState = {
  /** Error of the last save that belongs to no field. */
  saveFailure: unknown
  isPending: boolean
  /** Returns true once everything is stored and the user can leave without losing changes. */
  isSaved: () => boolean
  submit: () => void
  /** Overwrites a concurrent change by another user. */
  overwrite: () => void
}

/** Submits a form, one request at a time, and keeps the reason of a failure. */
export function useSave({ version, save, fetchLatestVersion, showServerErrors, onSaved }: SaveOptions): SaveState {
  const [saveFailure, setSaveFailure] = useState<unknown>(null)
  const [isPending, setIsPending] = useState(false)
  const isSavedRef = useRef(false)
  // Set at once: a second click comes before React has disabled the button.
  const isSavingRef = useRef(false)
  const saveVersion = async (getVersion: () => Promise<number> | number) => {
    if (isSavingRef.current) return
    isSavingRef.current = true
    setSaveFailure(null)
    setIsPending(true)
    try {
      await save(await getVersion())
      isSavedRef.current = true
      onSaved()
    } catch (error) {
      setSaveFailure(showServerErrors(error))
    } finally {
      isSavingRef.current = false
      setIsPending(false)
    }
  }
  return {
    saveFailure,
    isPending,
    isSaved: () => isSavedRef.current,
    submit: () => void saveVersion(() => (typeof version === 'number' ? version : version())),
    overwrite: () => void saveVersion(fetchLatestVersion),
  }
}
