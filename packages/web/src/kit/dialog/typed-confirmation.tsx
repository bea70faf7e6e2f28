import { useState } from 'react'
import { Field } from '../form/field.tsx'

export type TypedConfirmation = {
  text: string
  setText: (text: string) => void
  /** A wrong text was submitted. */
  isMismatch: boolean
  /** Returns true if the text matches; otherwise shows the mismatch from then on. */
  validate: () => boolean
}

/** Text that confirms a deletion. @param expectedText null while unknown: no text matches then */
export function useTypedConfirmation(expectedText: string | null): TypedConfirmation {
  const [typedText, setTypedText] = useState('')
  const [isMismatch, setIsMismatch] = useState(false)
  return {
    text: typedText,
    setText: (newText) => {
      setTypedText(newText)
      setIsMismatch(false)
    },
    isMismatch,
    validate: () => {
      const isMatching = expectedText !== null && typedText.trim() === expectedText.trim()
      if (!isMatching) setIsMismatch(true)
      return isMatching
    },
  }
}

export function TypedConfirmationField({
  confirmation,
  label,
  error,
}: {
  confirmation: TypedConfirmation
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
          value={confirmation.text}
          onChange={({ target }) => confirmation.setText(target.value)}
        />
      )}
    </Field>
  )
}
