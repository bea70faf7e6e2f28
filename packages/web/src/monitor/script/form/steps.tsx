import { Plural, useLingui } from '@lingui/react/macro'
import type { ScriptType } from '@clearway/contract/monitor/script/schema.ts'
import type { ReactNode } from 'react'
import { useId } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import field from '../../../kit/form/field.module.css'
import { CheckField, Field, FieldMessage } from '../../../kit/form/field.tsx'
import layout from '../../../kit/page/layout.module.css'
import { useReadScript } from '../queries.ts'
import { ScriptText } from '../parts/text-field.tsx'
import type { ScriptFormState, ScriptStepId } from './use-form.ts'
import { nameField, textField, typeField } from './use-form.ts'
import { typeWords } from '../parts/words.ts'

/** Name, type and text. */
export function GeneralStep({ form }: { form: ScriptFormState }) {
  const { t } = useLingui()
  const { values, change, steps } = form
  return (
    <>
      <Field id={nameField} label={t`Name`} error={steps.getFieldError(nameField)}>
        {(control) => (
          <input
            {...control}
            required
            maxLength={255}
            autoComplete="off"
            value={values.name}
            onChange={({ target }) => change({ name: target.value })}
          />
        )}
      </Field>
      <TypeChoice type={values.type} error={steps.getFieldError(typeField)} onChange={(type) => change({ type })} />
      <ScriptText
        id={textField}
        label={t`Script`}
        value={values.text}
        type={values.type}
        error={steps.getFieldError(textField)}
        onChange={(text) => change({ text })}
      />
    </>
  )
}

type TypeProps = { type: ScriptType; error: string | undefined; onChange: (type: ScriptType) => void }

function TypeChoice({ type, error, onChange }: TypeProps) {
  const { t } = useLingui()
  const name = useId()
  const hints: Record<ScriptType, string> = {
    TASK: t`Walks through pages and tests them on the way: needs an analyze action.`,
    SESSION: t`Signs in before the scan, and tests no pages.`,
  }
  return (
    <fieldset id={typeField} tabIndex={-1}>
      <legend className={field.legend}>{t`Type`}</legend>
      {error && <FieldMessage id={`${typeField}-error`}>{error}</FieldMessage>}
      {(Object.keys(hints) as ScriptType[]).map((one) => (
        <CheckField key={one} label={t(typeWords[one])} hint={hints[one]}>
          {(control) => (
            <input
              {...control}
              type="radio"
              name={name}
              checked={one === type}
              onChange={() => onChange(one)}
            />
          )}
        </CheckField>
      ))}
    </fieldset>
  )
}

type ReviewProps = { form: ScriptFormState; names: Record<ScriptStepId, string> }

/** What is about to be saved, each part with the way back to it. */
export function ReviewStep({ form: { values, steps }, names }: ReviewProps) {
  const { t } = useLingui()
  const read = useReadScript(values.text, values.type)
  const pages = read?.ok ? read.script.pages : []
  const count = pages.reduce((sum, page) => sum + page.steps.length, 0)
  const edit = (step: ScriptStepId) => {
    const name = names[step]
    return (
      <Button small kind="quiet" label={t`Edit: ${name}`} onPress={() => steps.goToStep(step)}>
        {t`Edit`}
      </Button>
    )
  }
  return (
    <>
      <Part title={names.script} action={edit('script')}>
        <dl className={layout.facts}>
          <Fact name={t`Name`}>{values.name.trim()}</Fact>
          <Fact name={t`Type`}>{t(typeWords[values.type])}</Fact>
          <Fact name={t`Contents`}>
            <Plural value={pages.length} one="# page" other="# pages" />
            {', '}
            <Plural value={count} one="# action" other="# actions" />
          </Fact>
        </dl>
      </Part>
      <Part title={names.variables} action={edit('variables')}>
        {values.variables.length === 0 ? (
          <p>{t`None`}</p>
        ) : (
          <ul>
            {values.variables.map(({ key, name, locked }) => (
              <li key={key}>
                <code translate="no">{name}</code>
                {locked && <> {t`(scans may not override it)`}</>}
              </li>
            ))}
          </ul>
        )}
      </Part>
    </>
  )
}

function Part({ title, action, children }: { title: string; action: ReactNode; children: ReactNode }) {
  return (
    <div className={layout.tight}>
      <div className={layout.row}>
        <h2>{title}</h2>
        {action}
      </div>
      {children}
    </div>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
