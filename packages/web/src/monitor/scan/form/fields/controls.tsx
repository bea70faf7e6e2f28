import { createContext, type ReactNode, type RefObject, useContext, useId, useState } from 'react'
import { type FieldPath, useController, useFormContext } from 'react-hook-form'
import { Plural, useLingui } from '@lingui/react/macro'
import { Button } from '../../../../kit/control/button.tsx'
import { CheckField, Field, type FieldControl } from '../../../../kit/form/field.tsx'
import field from '../../../../kit/form/field.module.css'
import { getControlInfo, getFieldName } from '../field-table.ts'
import { getUnitScale } from '../setting-controls.ts'
import { type NumberValue, parseNumber, type ScanForm, splitLines } from '../values.ts'
import layout from '../../../../kit/page/layout.module.css'
import styles from './fields.module.css'

type FormFieldPath = FieldPath<ScanForm>
/** Texts come from the field's table. Props override those that depend on a limit or another answer. */
type CommonFieldProps = { name: FormFieldPath; label?: string | undefined; hint?: string | undefined }
type TextFieldProps = CommonFieldProps & {
  isOptional?: boolean
  isRequired?: boolean
  /** Number of lines, for multi-line text. */
  lineCount?: number
  type?: 'text' | 'date' | 'time' | 'password'
  onLeave?: () => void
  width?: 'narrow' | 'full'
}

/** Names of fields whose hints say that they differ from their defaults. */
export const ChangedNamesContext = createContext<readonly string[]>([])

/** Returns label and hint of a control from its props or the field's table. */
export function useFieldTexts({ name, label, hint }: CommonFieldProps): { label: string; hint?: string } {
  const { t } = useLingui()
  const fieldInfo = getControlInfo(name)
  const isChanged = useContext(ChangedNamesContext).includes(name)
  const hintText = [
    hint ?? (fieldInfo.hint && !fieldInfo.isQuestion && t(fieldInfo.hint)),
    isChanged && t`Changed from the default.`,
  ]
    .filter(Boolean)
    .join(' ')
  return { label: label ?? (fieldInfo.label ? t(fieldInfo.label) : ''), ...(hintText && { hint: hintText }) }
}

/** Returns label and hint of a question with several controls, by its first control. */
export function useQuestionTexts(name: FormFieldPath): { label: string; hint?: string } {
  const { t } = useLingui()
  const { isQuestion, hint } = getControlInfo(name)
  const questionName = getFieldName(name)
  return { label: questionName ? t(questionName) : '', ...(isQuestion && hint && { hint: t(hint) }) }
}

export function useFieldError(name: FormFieldPath): string | undefined {
  const { getFieldState, formState } = useFormContext<ScanForm>()
  const errorMessage: unknown = getFieldState(name, formState).error?.message
  return typeof errorMessage === 'string' ? errorMessage : undefined
}

type LabeledFieldProps = TextFieldProps & {
  children: (control: FieldControl & { placeholder: string | undefined; spellCheck: false }) => ReactNode
}

function LabeledField({ name, label, hint, isOptional, width, children }: LabeledFieldProps) {
  const { t } = useLingui()
  const fieldTexts = useFieldTexts({ name, label, hint })
  const errorText = useFieldError(name)
  return (
    <Field
      {...fieldTexts}
      error={errorText}
      id={name}
      {...(isOptional ? { optional: t`optional` } : {})}
      {...(width ? { width } : {})}
    >
      {(control) => children({ ...control, placeholder: getControlInfo(name).placeholder, spellCheck: false })}
    </Field>
  )
}

export function TextField(props: TextFieldProps) {
  const { name, isRequired, lineCount, type = 'text', onLeave } = props
  const { register } = useFormContext<ScanForm>()
  const inputProps = {
    ...register(name, onLeave && { onBlur: onLeave }),
    required: isRequired,
    autoComplete: type === 'password' ? 'new-password' : 'off',
  }
  return (
    <LabeledField {...props}>
      {(control) =>
        lineCount === undefined ? (
          <input {...control} {...inputProps} type={type} />
        ) : (
          <textarea {...control} {...inputProps} rows={lineCount} />
        )
      }
    </LabeledField>
  )
}

/** How a value is typed. `Typed` is the text of one control, or of several. */
type TypedFormat<T, Typed> = { parse: (typed: Typed) => T; format: (value: T) => Typed }

/** Connects controls to a form value that they parse. What is typed stays as it is while it means the current value. */
export function useTypedValue<T, Typed>(name: FormFieldPath, { parse, format }: TypedFormat<T, Typed>) {
  const { field: formField } = useController<ScanForm>({ name })
  const [lastTyped, setLastTyped] = useState<{ typed: Typed } | null>(null)
  const isCurrent = lastTyped !== null && JSON.stringify(parse(lastTyped.typed)) === JSON.stringify(formField.value)
  return {
    typed: isCurrent ? lastTyped.typed : format(formField.value as T),
    setTyped: (typed: Typed) => {
      setLastTyped({ typed })
      formField.onChange(parse(typed))
    },
    control: { name: formField.name, ref: formField.ref, onBlur: formField.onBlur, autoComplete: 'off' },
  }
}

const linesFormat: TypedFormat<string[], string> = { parse: splitLines, format: (lines) => lines.join('\n') }
/** Email addresses, separated by commas, semicolons or spaces. */
const addressesFormat: TypedFormat<string[], string> = {
  parse: (text) => text.split(/[\s,;]+/).filter(Boolean),
  format: (addresses) => addresses.join(', '),
}
const nullableTextFormat: TypedFormat<string | null, string> = {
  parse: (text) => text.trim() || null,
  format: (value) => value ?? '',
}

type TypedFieldProps = Omit<TextFieldProps, 'type'>

/** List of the form, one value per line or separated by commas. */
export function LinesField(props: TypedFieldProps & { lineCount: number; separator?: 'line' | 'comma' }) {
  const { name, isRequired, lineCount, separator = 'line' } = props
  const { typed, setTyped, control } = useTypedValue(name, separator === 'line' ? linesFormat : addressesFormat)
  return (
    <LabeledField {...props}>
      {(fieldControl) => (
        <textarea
          {...fieldControl}
          {...control}
          required={isRequired}
          rows={lineCount}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
    </LabeledField>
  )
}

/** Text or date of the form that is null if it is empty. */
export function NullableTextField(props: TypedFieldProps & { type: 'text' | 'date' }) {
  const { typed, setTyped, control } = useTypedValue(props.name, nullableTextFormat)
  return (
    <LabeledField {...props}>
      {(fieldControl) => (
        <input {...fieldControl} {...control} type={props.type} value={typed} onChange={({ target }) => setTyped(target.value)} />
      )}
    </LabeledField>
  )
}

/** Whole number of the form, in the displayed unit. Other text is kept for the validation to report. */
export function NumberField(props: TypedFieldProps) {
  const unitScale = getUnitScale(props.name)
  const { typed, setTyped, control } = useTypedValue<NumberValue, string>(props.name, {
    parse: (text) => {
      const number = parseNumber(text)
      return typeof number === 'number' ? number * unitScale : number
    },
    format: (value) => (typeof value === 'number' ? String(value / unitScale) : (value ?? '')),
  })
  return (
    <LabeledField {...props}>
      {(fieldControl) => (
        <input
          {...fieldControl}
          {...control}
          inputMode="numeric"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
    </LabeledField>
  )
}

export function TickField(props: CommonFieldProps & { value?: string }) {
  const { name: fieldName, value: checkedValue } = props
  const { register } = useFormContext<ScanForm>()
  return (
    <CheckField {...useFieldTexts(props)}>
      {(control) => <input {...control} type="checkbox" value={checkedValue} {...register(fieldName)} />}
    </CheckField>
  )
}

export type FieldOption<T extends string = string> = { value: T; label: string; hint?: string }

export function SelectField(props: CommonFieldProps & { options: readonly FieldOption[]; width?: 'narrow' }) {
  const { name: fieldName, options: selectOptions, width: fieldWidth } = props
  const { register } = useFormContext<ScanForm>()
  const errorText = useFieldError(fieldName)
  return (
    <Field {...useFieldTexts(props)} error={errorText} id={fieldName} {...(fieldWidth ? { width: fieldWidth } : {})}>
      {(control) => (
        <select {...control} {...register(fieldName)}>
          {selectOptions.map(({ value, label: text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

/** Radio buttons of the form; each option has an explanation. */
export function ChoiceField(props: CommonFieldProps & { options: readonly FieldOption[] }) {
  const { name: fieldName, options: choiceOptions } = props
  const { register } = useFormContext<ScanForm>()
  return (
    <Question {...useFieldTexts(props)}>
      {choiceOptions.map(({ value, label: text, hint: means }) => (
        <CheckField key={value} label={text} {...(means === undefined ? {} : { hint: means })}>
          {(control) => <input {...control} type="radio" value={value} {...register(fieldName)} />}
        </CheckField>
      ))}
    </Question>
  )
}

type QuestionProps = { label: string; hint?: ReactNode; error?: string | undefined; children: ReactNode }

export function Question({ label, hint, error, children }: QuestionProps) {
  const questionId = useId()
  const describedByIds = [hint && `${questionId}-hint`, error && `${questionId}-error`].filter(Boolean).join(' ')
  return (
    <fieldset className={styles.question} aria-describedby={describedByIds || undefined}>
      <legend className={field.legend}>{label}</legend>
      {hint && (
        <p id={`${questionId}-hint`} className={field.hint}>
          {hint}
        </p>
      )}
      {children}
      {error && (
        <p id={`${questionId}-error`} className={field.error}>
          {error}
        </p>
      )}
    </fieldset>
  )
}

type RowListProps = {
  name:
    | 'commonComponents.components'
    | 'scripts.own'
    | 'scripts.variables'
    | 'advanced.extraHeaders'
    | 'excludeRules'
    | 'includeRules'
  /** From `useRowFocus`: takes the focus when the last row is removed. */
  listRef: RefObject<HTMLDivElement | null>
  addLabel: string
  onAdd: () => void
  /** Message of an error of the whole list, if the usual one is unclear. */
  listError?: string
  children: ReactNode
}

export function RowList({ name, listRef, addLabel, onAdd, listError, children }: RowListProps) {
  const { label: fieldLabel, hint: fieldHint } = useFieldTexts({ name })
  const errorText = useFieldError(name)
  return (
    <div id={name} className={layout.tight} ref={listRef} tabIndex={-1} role="group" aria-label={fieldLabel}>
      <p className={field.legend}>{fieldLabel}</p>
      <p className={field.hint}>{fieldHint}</p>
      {children}
      {errorText !== undefined && <p className={field.error}>{listError ?? errorText}</p>}
      <div>
        <Button small icon="plus" onPress={onAdd}>
          {addLabel}
        </Button>
      </div>
    </div>
  )
}

/** States how many secrets of the rows are stored on the server. */
export function StoredValues({ stored: storedCount }: { stored: number }) {
  if (storedCount === 0) return null
  return (
    <p className={field.hint}>
      <Plural
        value={storedCount}
        one="# value is stored. Leave its field empty to keep it."
        other="# values are stored. Leave their fields empty to keep them."
      />
    </p>
  )
}
