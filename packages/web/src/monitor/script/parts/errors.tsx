import { useLingui } from '@lingui/react/macro'
import type { ScriptError } from '@clearway/contract/monitor/script/schema.ts'
import layout from '../../../kit/page/layout.module.css'
import styles from './text-field.module.css'
import { scriptErrorLabels } from './labels.ts'

type ScriptErrorsProps = {
  errors: readonly ScriptError[]
  /** Moves to the place of the error in the text. */
  onNavigate?: (error: ScriptError) => void
}

/** Script errors with position, actual text and expected text. */
export function ScriptErrors({ errors, onNavigate }: ScriptErrorsProps) {
  const { t } = useLingui()
  if (errors.length === 0) return null
  return (
    <ul className={styles.errors} aria-label={t`What is wrong with the script`}>
      {errors.map((error, i) => {
        const {
          line: lineNumber,
          column: columnNumber,
          code: errorCode,
          read: actualText,
          expected: expectedText,
          hint: errorHint,
        } = error
        const positionText = t`Line ${lineNumber}, column ${columnNumber}`
        return (
          <li key={i}>
            {onNavigate ? (
              <button type="button" className={styles.jump} onClick={() => onNavigate(error)}>
                {positionText}
              </button>
            ) : (
              <span className={layout.strong}>{positionText}</span>
            )}{' '}
            {t(scriptErrorLabels[errorCode])}
            <span className={`${layout.sm} ${layout.muted} ${styles.more}`}>
              <code translate="no">{actualText}</code> → <span lang="en">{expectedText}</span>
              {errorHint !== null && <span lang="en">. {errorHint}</span>}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
