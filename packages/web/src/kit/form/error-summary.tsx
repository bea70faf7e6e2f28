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

/** Step with errors that is not open. */
export type FaultyPlace = { name: string; firstFault: FieldFault }

/** Lists the errors above a form, and names other steps with errors. Takes the focus after each `attempt`; each line links to its field. */
export function ErrorSummary({
  faults,
  faultyPlaces = [],
  attempt,
  onNavigate,
}: {
  faults: readonly FieldFault[]
  faultyPlaces?: readonly FaultyPlace[]
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
  if (faults.length === 0 && faultyPlaces.length === 0) return null
  const goToField = (fault: FieldFault) => {
    pendingFieldRef.current = fault.field
    onNavigate?.(fault)
    requestAnimationFrame(focusPendingField)
  }
  const otherStepsText = <Plural value={faultyPlaces.length} one="# other step needs a fix" other="# other steps need a fix" />
  return (
    <div ref={summaryRef} tabIndex={-1} className={styles.summary} role="group" aria-labelledby="form-errors">
      <h2 id="form-errors">
        {faults.length > 0 ? <Plural value={faults.length} one="Fix # error" other="Fix # errors" /> : otherStepsText}
      </h2>
      {faults.length > 0 && (
        <ul>
          {faults.map((fault, i) => (
            <li key={i}>
              <button type="button" className={styles.jump} onClick={() => goToField(fault)}>
                {fault.label ? `${fault.label}: ${fault.message}` : fault.message}
              </button>
            </li>
          ))}
        </ul>
      )}
      {faultyPlaces.length > 0 && (
        <>
          {faults.length > 0 && <p>{otherStepsText}</p>}
          <ul className={styles.places}>
            {faultyPlaces.map(({ name, firstFault }) => (
              <li key={name}>
                <button type="button" className={styles.jump} onClick={() => goToField(firstFault)}>
                  {name}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
