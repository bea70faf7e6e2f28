import { useLingui } from '@lingui/react/macro'
import type { ScriptError } from '@clearway/contract/monitor/script/schema.ts'
import layout from '../../../kit/page/layout.module.css'
import styles from './text-field.module.css'
import { scriptFaultWords } from './words.ts'

type Props = {
  errors: readonly ScriptError[]
  /** Leads to the place in the text. */
  onGo?: (error: ScriptError) => void
}

/** What is wrong with a script: where, what was read, what was expected there. */
export function ScriptErrors({ errors, onGo }: Props) {
  const { t } = useLingui()
  if (errors.length === 0) return null
  return (
    <ul className={styles.errors} aria-label={t`What is wrong with the script`}>
      {errors.map((error, i) => {
        const { line, column, code, read, expected, hint } = error
        const place = t`Line ${line}, column ${column}`
        return (
          <li key={i}>
            {onGo ? (
              <button type="button" className={styles.jump} onClick={() => onGo(error)}>
                {place}
              </button>
            ) : (
              <span className={layout.strong}>{place}</span>
            )}{' '}
            {t(scriptFaultWords[code])}
            <span className={`${layout.sm} ${layout.muted} ${styles.more}`}>
              <code translate="no">{read}</code> → <span lang="en">{expected}</span>
              {hint !== null && <span lang="en">. {hint}</span>}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
