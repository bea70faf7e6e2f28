import { useLingui } from '@lingui/react/macro'
import type { ScriptError, ScriptType } from '@clearway/contract/monitor/script/schema.ts'
import { useRef } from 'react'
import { Field } from '../../../kit/form/field.tsx'
import { Icon } from '../../../kit/control/icon.tsx'
import layout from '../../../kit/page/layout.module.css'
import { useDebouncedValue } from '../../../kit/client/use-debounced-value.ts'
import { useParsedScript } from '../queries.ts'
import { ScriptActions } from './actions.tsx'
import { ScriptErrors } from './errors.tsx'
import styles from './text-field.module.css'
import { ScriptSources } from './sources.tsx'

const debounceMs = 500

type ScriptTextProps = {
  /** Target of links in the error summary. */
  id: string
  label: string
  value: string
  type: ScriptType
  /** Error of the whole field; errors of single lines are computed here. */
  error?: string | undefined
  onChange: (text: string) => void
  onBlur?: () => void
}

/** Script editor with line numbers. Shows errors by line during typing. */
export function ScriptText({ id, label, value: scriptText, type, error, onChange, onBlur }: ScriptTextProps) {
  const { t } = useLingui()
  const textAreaRef = useRef<HTMLTextAreaElement>(null)
  const gutterRef = useRef<HTMLDivElement>(null)
  const parsedScript = useParsedScript(useDebouncedValue(scriptText, debounceMs), type)
  const scriptErrors = scriptText.trim() !== '' && parsedScript && !parsedScript.ok ? parsedScript.errors : []
  const isValidScript = scriptText.trim() !== '' && parsedScript?.ok === true
  const faultyLines = new Set(scriptErrors.map(({ line }) => line))
  return (
    <div className={layout.tight}>
      <ScriptSources type={type} onText={onChange} />
      <ScriptActions type={type} />
      <Field id={id} label={label} hint={t`JSON or YAML, with one project.`} error={error}>
        {(control) => (
          <div className={styles.editor}>
            <div ref={gutterRef} className={styles.gutter} aria-hidden="true">
              {scriptText.split('\n').map((_, i) => (
                <div key={i} className={faultyLines.has(i + 1) ? styles.wrong : ''}>
                  {i + 1}
                </div>
              ))}
            </div>
            <textarea
              {...control}
              ref={textAreaRef}
              className={`${control.className} ${styles.text}`}
              wrap="off"
              rows={16}
              spellCheck={false}
              autoCapitalize="off"
              autoComplete="off"
              translate="no"
              value={scriptText}
              onChange={(event) => onChange(event.target.value)}
              onBlur={onBlur}
              onScroll={({ currentTarget }) => {
                if (gutterRef.current) gutterRef.current.scrollTop = currentTarget.scrollTop
              }}
            />
          </div>
        )}
      </Field>
      <p role="status" className={styles.right}>
        {isValidScript && (
          <span className={`${layout.line} ${layout.good}`}>
            <Icon name="check" />
            {t`The script is valid.`}
          </span>
        )}
      </p>
      <ScriptErrors errors={scriptErrors} onNavigate={(scriptError) => moveCaretTo(textAreaRef.current, scriptError)} />
    </div>
  )
}

function moveCaretTo(textArea: HTMLTextAreaElement | null, { line, column }: ScriptError): void {
  if (!textArea) return
  const textLines = textArea.value.split('\n')
  const lineStart = textLines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0)
  const caretPosition = lineStart + Math.max(0, Math.min(column - 1, textLines[line - 1]?.length ?? 0))
  textArea.focus()
  textArea.setSelectionRange(caretPosition, lineStart + (textLines[line - 1]?.length ?? 0))
  textArea.scrollTop = Math.max(0, (line - 4) * (textArea.scrollHeight / Math.max(1, textLines.length)))
}
