import type { ReactNode, RefObject } from 'react'
import { useId } from 'react'
import type { FieldPath } from 'react-hook-form'
import { useFormContext } from 'react-hook-form'
import { Plural, useLingui } from '@lingui/react/macro'
import { Button } from '../../../../kit/control/button.tsx'
import { CheckField, Field } from '../../../../kit/form/field.tsx'
import field from '../../../../kit/form/field.module.css'
import { getFieldInfo, getPartInfo, type FieldAbout, getFieldName } from '../field-table.ts'
import type { ScanForm } from '../values.ts'
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
  type?: 'text' | 'number' | 'date' | 'time' | 'password'
  width?: 'narrow' | 'full'
  placeholder?: string
}

const getInfo = (name: FormFieldPath): FieldAbout =>
  name.includes('.') ? getPartInfo(name) : getFieldInfo(name)

/** Returns label and hint of a control from its props or the field's table. */
export function useFieldTexts({ name, label, hint }: CommonFieldProps): { label: string; hint?: string } {
  const { t } = useLingui()
  const fieldInfo = getInfo(name)
  const hintText = hint ?? (fieldInfo.hint && !fieldInfo.isQuestion && t(fieldInfo.hint))
  return { label: label ?? (fieldInfo.label ? t(fieldInfo.label) : ''), ...(hintText && { hint: hintText }) }
}

/** Returns label and hint of a question with several controls, by its first control. */
export function useQuestionTexts(name: FormFieldPath): { label: string; hint?: string } {
  const { t } = useLingui()
  const { isQuestion, hint } = getInfo(name)
  const questionName = getFieldName(name)
  return { label: questionName ? t(questionName) : '', ...(isQuestion && hint && { hint: t(hint) }) }
}

/** Returns the error of a field as a sentence. */
function useFieldError(name: FormFieldPath): string | undefined {
  const { getFieldState, formState } = useFormContext<ScanForm>()
  const errorMessage: unknown = getFieldState(name, formState).error?.message
  return typeof errorMessage === 'string' ? errorMessage : undefined
}

/** Text field of the form with its error below. */
export function TextField(props: TextFieldProps) {
  const {
    name: fieldName,
    isOptional,
    isRequired,
    lineCount,
    type: inputType = 'text',
    width: fieldWidth,
  } = props
  const { placeholder = getInfo(fieldName).placeholder } = props
  const { t } = useLingui()
  const fieldTexts = useFieldTexts(props)
  const { register } = useFormContext<ScanForm>()
  const errorText = useFieldError(fieldName)
  const inputProps = {
    ...register(fieldName),
    required: isRequired,
    placeholder,
    autoComplete: inputType === 'password' ? 'new-password' : 'off',
  }
  return (
    <Field
      {...fieldTexts}
      error={errorText}
      id={fieldName}
      {...(isOptional ? { optional: t`optional` } : {})}
      {...(fieldWidth ? { width: fieldWidth } : {})}
    >
      {(control) =>
        lineCount === undefined ? (
          <input
            {...control}
            {...inputProps}
            spellCheck={false}
            {...(inputType === 'number' ? { inputMode: 'numeric' as const } : { type: inputType })}
          />
        ) : (
          <textarea {...control} {...inputProps} rows={lineCount} spellCheck={false} />
        )
      }
    </Field>
  )
}

/** Checkbox of the form. */
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

/** Select field of the form. */
export function SelectField(props: CommonFieldProps & { options: readonly FieldOption[]; width?: 'narrow' }) {
  const { name: fieldName, options: selectOptions, width: fieldWidth } = props
  const { register } = useFormContext<ScanForm>()
  const errorText = useFieldError(fieldName)
  return (
    <Field
      {...useFieldTexts(props)}
      error={errorText}
      id={fieldName}
      {...(fieldWidth ? { width: fieldWidth } : {})}
    >
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

/** Group of controls that answer one question. */
export function Question({ label, hint, error, children }: QuestionProps) {
  const questionId = useId()
  const describedByIds = [hint && `${questionId}-hint`, error && `${questionId}-error`]
    .filter(Boolean)
    .join(' ')
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
  name: 'components' | 'ownScripts' | 'variables' | 'extraHeaders' | 'excludeRules' | 'includeRules'
  /** From `useRowFocus`: takes the focus when the last row is removed. */
  listRef: RefObject<HTMLDivElement | null>
  /** Label of the button that adds a row. */
  addLabel: string
  onAdd: () => void
  /** Rows and their messages. */
  children: ReactNode
}

/** Field with several rows. */
export function RowList({ name, listRef, addLabel, onAdd, children }: RowListProps) {
  const { label: fieldLabel, hint: fieldHint } = useFieldTexts({ name })
  return (
    <div className={layout.tight} ref={listRef} tabIndex={-1} role="group" aria-label={fieldLabel}>
      <p className={field.legend}>{fieldLabel}</p>
      <p className={field.hint}>{fieldHint}</p>
      {children}
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
