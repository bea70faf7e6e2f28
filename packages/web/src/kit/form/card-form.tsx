import type { ReactNode, RefObject } from 'react'
import { Button } from '../control/button.tsx'
import layout from '../page/layout.module.css'
import { SaveFailure } from './save-failure.tsx'
import { ErrorCard } from '../page/states.tsx'

type Props = {
  /** Of `useFaults`: so that the focus finds the field, and why it was not saved when that belongs to no field. */
  form: RefObject<HTMLFormElement | null>
  failure: unknown
  /** What is said of that. */
  failed: string
  /** Saves over what somebody else saved meanwhile. */
  onOverwrite?: () => void
  submit: string
  pending: boolean
  onSend: () => void
  /** What comes before the error. */
  head: ReactNode
  children: ReactNode
}

/** A form of a few fields on a card, sent once at a time. */
export function CardForm({ form, failure, failed, submit, pending, onSend, ...props }: Props) {
  const { head, children, onOverwrite } = props
  const send = () => {
    if (!pending) onSend()
  }
  return (
    <form
      ref={form}
      noValidate
      className={`${layout.card} ${layout.pad} ${layout.stack}`}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {head}
      {failure !== null &&
        (onOverwrite ? (
          <SaveFailure title={failed} error={failure} onRetry={send} onOverwrite={onOverwrite} />
        ) : (
          <ErrorCard title={failed} error={failure} />
        ))}
      {children}
      <div>
        <Button kind="primary" type="submit" pending={pending}>
          {submit}
        </Button>
      </div>
    </form>
  )
}
