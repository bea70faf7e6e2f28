import { Plural, useLingui } from '@lingui/react/macro'
import type { ScriptType } from '@clearway/contract/monitor/script/schema.ts'
import { type ReactNode, useId } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import field from '../../../kit/form/field.module.css'
import { CheckField, Field, FieldMessage } from '../../../kit/form/field.tsx'
import layout from '../../../kit/page/layout.module.css'
import { useParsedScript } from '../queries.ts'
import { ScriptText } from '../parts/text-field.tsx'
import { type ScriptFormState, type ScriptStepId, nameField, textField, typeField } from './use-form.ts'
import { scriptTypeLabels } from '../parts/labels.ts'

export function GeneralStep({ form }: { form: ScriptFormState }) {
  const { t } = useLingui()
  const { values: formValues, changeValues, steps: stepsState } = form
  return (
    <>
      <Field id={nameField} label={t`Name`} error={stepsState.getFieldError(nameField)}>
        {(control) => (
          <input
            {...control}
            required
            maxLength={255}
            autoComplete="off"
            value={formValues.name}
            onChange={({ target }) => changeValues({ name: target.value })}
          />
        )}
      </Field>
      <TypeChoice
        type={formValues.type}
        error={stepsState.getFieldError(typeField)}
        onChange={(type) => changeValues({ type })}
      />
      <ScriptText
        id={textField}
        label={t`Script`}
        value={formValues.text}
        type={formValues.type}
        error={stepsState.getFieldError(textField)}
        onChange={(text) => changeValues({ text })}
      />
    </>
  )
}

type TypeChoiceProps = { type: ScriptType; error: string | undefined; onChange: (type: ScriptType) => void }

function TypeChoice({ type, error, onChange }: TypeChoiceProps) {
  const { t } = useLingui()
  const radioGroupName = useId()
  const typeHints: Record<ScriptType, string> = {
    TASK: t`Walks through pages and tests them on the way: needs an analyze action.`,
    SESSION: t`Signs in before the scan, and tests no pages.`,
  }
  return (
    <fieldset id={typeField} tabIndex={-1}>
      <legend className={field.legend}>{t`Type`}</legend>
      {error && <FieldMessage id={`${typeField}-error`}>{error}</FieldMessage>}
      {(Object.keys(typeHints) as ScriptType[]).map((one) => (
        <CheckField key={one} label={t(scriptTypeLabels[one])} hint={typeHints[one]}>
          {(control) => (
            <input {...control} type="radio" name={radioGroupName} checked={one === type} onChange={() => onChange(one)} />
          )}
        </CheckField>
      ))}
    </fieldset>
  )
}

type ReviewStepProps = { form: ScriptFormState; names: Record<ScriptStepId, string> }

export function ReviewStep({ form: { values, steps }, names }: ReviewStepProps) {
  const { t } = useLingui()
  const parsedScript = useParsedScript(values.text, values.type)
  const scriptPages = parsedScript?.ok ? parsedScript.script.pages : []
  const stepCount = scriptPages.reduce((sum, page) => sum + page.steps.length, 0)
  const renderEditButton = (step: ScriptStepId) => {
    const stepName = names[step]
    return (
      <Button small kind="quiet" label={t`Edit: ${stepName}`} onPress={() => steps.goToStep(step)}>
        {t`Edit`}
      </Button>
    )
  }
  return (
    <>
      <ReviewPart title={names.script} action={renderEditButton('script')}>
        <dl className={layout.facts}>
          <ReviewFact name={t`Name`}>{values.name.trim()}</ReviewFact>
          <ReviewFact name={t`Type`}>{t(scriptTypeLabels[values.type])}</ReviewFact>
          <ReviewFact name={t`Contents`}>
            <Plural value={scriptPages.length} one="# page" other="# pages" />
            {', '}
            <Plural value={stepCount} one="# action" other="# actions" />
          </ReviewFact>
        </dl>
      </ReviewPart>
      <ReviewPart title={names.variables} action={renderEditButton('variables')}>
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
      </ReviewPart>
    </>
  )
}

function ReviewPart({ title, action, children }: { title: string; action: ReactNode; children: ReactNode }) {
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

function ReviewFact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
