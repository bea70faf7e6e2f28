import type { ReactNode, RefObject } from 'react'
import { Button } from './button.tsx'
import layout from './layout.module.css'
import { ErrorCard } from './states.tsx'

type Props = {
  /** Of `useFaults`: so that the focus finds the field, and why it was not saved when that belongs to no field. */
  form: RefObject<HTMLFormElement | null>
  failure: unknown
  /** What is said of that. */
  failed: string
  /** Whether the error offers to try again. */
  retry?: boolean
  submit: string
  pending: boolean
  onSend: () => void
  /** What comes before the error. */
  head: ReactNode
  children: ReactNode
}

/** A form of a few fields on a card, sent once at a time. */
export function CardForm({ form, failure, failed, retry, submit, pending, onSend, head, children }: Props) {
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
      {failure !== null && <ErrorCard title={failed} error={failure} {...(retry && { onRetry: send })} />}
      {children}
      <div>
        <Button kind="primary" type="submit" pending={pending}>
          {submit}
        </Button>
      </div>
    </form>
  )
}
