import { useState } from 'react'
import { Field } from '../form/field.tsx'

export type Typed = {
  text: string
  set: (text: string) => void
  /** It was sent, and something else was wanted. */
  isWrong: boolean
  /** Whether what is wanted was typed; if not, that is said from then on. */
  check: () => boolean
}

/** What has to be typed before something is deleted. @param wanted null while it is not known: then nothing is right */
export function useTyped(wanted: string | null): Typed {
  const [text, setText] = useState('')
  const [isWrong, setWrong] = useState(false)
  return {
    text,
    set: (next) => {
      setText(next)
      setWrong(false)
    },
    isWrong,
    check: () => {
      const isRight = wanted !== null && text.trim() === wanted.trim()
      if (!isRight) setWrong(true)
      return isRight
    },
  }
}

export function TypedField({
  typed,
  label,
  error,
}: {
  typed: Typed
  label: string
  error?: string | undefined
}) {
  return (
    <Field label={label} error={error}>
      {(control) => (
        <input
          {...control}
          autoFocus
          autoComplete="off"
          value={typed.text}
          onChange={({ target }) => typed.set(target.value)}
        />
      )}
    </Field>
  )
}
