import { Plural } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import styles from './error-summary.module.css'
import { focusField } from './focus-field.ts'

export type FieldFault = {
  /** Id or name of the control that the line links to. */
  field: string
  /** Field label, if the message does not contain it. */
  label?: string
  message: string
}

/** Lists all errors above a form. Takes the focus after each `attempt`; each line links to its field. */
export function ErrorSummary({
  faults,
  attempt,
  onNavigate,
}: {
  faults: readonly FieldFault[]
  attempt: number
  /** Called before the focus moves, to open the step of the field. */
  onNavigate?: (fault: FieldFault) => void
}) {
  const summaryRef = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (attempt > 0) summaryRef.current?.focus()
  }, [attempt])
  const pendingFieldRef = useRef<string>(null)
  const focusPendingField = () => {
    if (pendingFieldRef.current !== null && focusField(pendingFieldRef.current)) pendingFieldRef.current = null
  }
  // A field on another step exists only after that step renders, which first focuses its heading.
  useEffect(focusPendingField)
  if (faults.length === 0) return null
  const goToField = (fault: FieldFault) => {
    pendingFieldRef.current = fault.field
    onNavigate?.(fault)
    requestAnimationFrame(focusPendingField)
  }
  return (
    <div ref={summaryRef} tabIndex={-1} className={styles.summary} role="group" aria-labelledby="form-errors">
      <h2 id="form-errors">
        <Plural value={faults.length} one="# thing to fix" other="# things to fix" />
      </h2>
      <ul>
        {faults.map((fault, i) => (
          <li key={i}>
            <button type="button" className={styles.jump} onClick={() => goToField(fault)}>
              {fault.label ? `${fault.label}: ${fault.message}` : fault.message}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
