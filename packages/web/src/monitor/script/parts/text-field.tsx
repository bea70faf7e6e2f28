import { useLingui } from '@lingui/react/macro'
import type { ScriptError, ScriptType } from '@clearway/contract/monitor/script/schema.ts'
import { useRef } from 'react'
import { Field } from '../../../kit/form/field.tsx'
import { Icon } from '../../../kit/control/icon.tsx'
import layout from '../../../kit/page/layout.module.css'
import { useDebouncedValue } from '../../../kit/client/use-after-pause.ts'
import { useReadScript } from '../queries.ts'
import { ScriptActions } from './actions.tsx'
import { ScriptErrors } from './errors.tsx'
import styles from './text-field.module.css'
import { ScriptSources } from './sources.tsx'

const pauseMs = 500

type Props = {
  /** Where an error summary leads to. */
  id: string
  label: string
  value: string
  type: ScriptType
  /** Of the field as a whole; what is wrong in which line is found here. */
  error?: string | undefined
  onChange: (text: string) => void
  onBlur?: () => void
}

/** The text of a script with its line numbers, and what is wrong with which line while one writes. */
export function ScriptText({ id, label, value: text, type, error, onChange, onBlur }: Props) {
  const { t } = useLingui()
  const area = useRef<HTMLTextAreaElement>(null)
  const gutter = useRef<HTMLDivElement>(null)
  const read = useReadScript(useDebouncedValue(text, pauseMs), type)
  const errors = text.trim() !== '' && read && !read.ok ? read.errors : []
  const isRight = text.trim() !== '' && read?.ok === true
  const wrong = new Set(errors.map(({ line }) => line))
  return (
    <div className={layout.tight}>
      <ScriptSources type={type} onText={onChange} />
      <ScriptActions type={type} />
      <Field id={id} label={label} hint={t`JSON or YAML, with one project.`} error={error}>
        {(control) => (
          <div className={styles.editor}>
            <div ref={gutter} className={styles.gutter} aria-hidden="true">
              {text.split('\n').map((_, i) => (
                <div key={i} className={wrong.has(i + 1) ? styles.wrong : ''}>
                  {i + 1}
                </div>
              ))}
            </div>
            <textarea
              {...control}
              ref={area}
              className={`${control.className} ${styles.text}`}
              wrap="off"
              rows={16}
              spellCheck={false}
              autoCapitalize="off"
              autoComplete="off"
              translate="no"
              value={text}
              onChange={(event) => onChange(event.target.value)}
              onBlur={onBlur}
              onScroll={({ currentTarget }) => {
                if (gutter.current) gutter.current.scrollTop = currentTarget.scrollTop
              }}
            />
          </div>
        )}
      </Field>
      <p role="status" className={styles.right}>
        {isRight && (
          <span className={`${layout.line} ${layout.good}`}>
            <Icon name="check" />
            {t`The script is valid.`}
          </span>
        )}
      </p>
      <ScriptErrors errors={errors} onGo={(at) => goTo(area.current, at)} />
    </div>
  )
}

/** Puts the cursor where a fault is. */
function goTo(area: HTMLTextAreaElement | null, { line, column }: ScriptError): void {
  if (!area) return
  const lines = area.value.split('\n')
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0)
  const at = start + Math.max(0, Math.min(column - 1, lines[line - 1]?.length ?? 0))
  area.focus()
  area.setSelectionRange(at, start + (lines[line - 1]?.length ?? 0))
  area.scrollTop = Math.max(0, (line - 4) * (area.scrollHeight / Math.max(1, lines.length)))
}
