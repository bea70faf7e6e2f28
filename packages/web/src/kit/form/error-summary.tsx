import { Plural } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import styles from './error-summary.module.css'
import { focusField } from './focus-field.ts'

export type Fault = {
  /** Id or name of the control that the line leads to. */
  field: string
  /** Name of the field, where the message does not say it. */
  label?: string
  message: string
}

/** Everything that is to be fixed, above a form. It takes the focus after each `attempt`; each line leads to its field. */
export function ErrorSummary({
  faults,
  attempt,
  onGo,
}: {
  faults: readonly Fault[]
  attempt: number
  /** Shows the field first, where it is on another step. */
  onGo?: (fault: Fault) => void
}) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (attempt > 0) box.current?.focus()
  }, [attempt])
  const wanted = useRef<string>(null)
  const focus = () => {
    if (wanted.current !== null && focusField(wanted.current)) wanted.current = null
  }
  // A field of another step is there once that step is shown; its heading had the focus for a moment.
  useEffect(focus)
  if (faults.length === 0) return null
  const go = (fault: Fault) => {
    wanted.current = fault.field
    onGo?.(fault)
    requestAnimationFrame(focus)
  }
  return (
    <div ref={box} tabIndex={-1} className={styles.summary} role="group" aria-labelledby="form-errors">
      <h2 id="form-errors">
        <Plural value={faults.length} one="# thing to fix" other="# things to fix" />
      </h2>
      <ul>
        {faults.map((fault, i) => (
          <li key={i}>
            <button type="button" className={styles.jump} onClick={() => go(fault)}>
              {fault.label ? `${fault.label}: ${fault.message}` : fault.message}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
