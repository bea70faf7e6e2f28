import type { ReactNode, RefObject } from 'react'
import { useId } from 'react'
import type { FieldPath } from 'react-hook-form'
import { useFormContext } from 'react-hook-form'
import { Plural, useLingui } from '@lingui/react/macro'
import { Button } from '../../../../kit/control/button.tsx'
import { CheckField, Field } from '../../../../kit/form/field.tsx'
import field from '../../../../kit/form/field.module.css'
import { aboutField, aboutPart, type FieldAbout, nameOfField } from '../field-table.ts'
import type { ScanForm } from '../values.ts'
import layout from '../../../../kit/page/layout.module.css'
import styles from './fields.module.css'

type Name = FieldPath<ScanForm>
/** A field's words are in its table. Those that depend on a limit or on another answer come with the control. */
type Common = { name: Name; label?: string | undefined; hint?: string | undefined }
type TextProps = Common & {
  optional?: boolean
  required?: boolean
  /** More than one line. */
  rows?: number
  type?: 'text' | 'number' | 'date' | 'time' | 'password'
  width?: 'narrow' | 'full'
  placeholder?: string
}

const aboutOf = (name: Name): FieldAbout => (name.includes('.') ? aboutPart(name) : aboutField(name))

/** The words beside a control: those that it brings, or those of the field's table. */
export function useWords({ name, label, hint }: Common): { label: string; hint?: string } {
  const { t } = useLingui()
  const about = aboutOf(name)
  const said = hint ?? (about.hint && !about.isQuestion && t(about.hint))
  return { label: label ?? (about.label ? t(about.label) : ''), ...(said && { hint: said }) }
}

/** The words of a question that several controls answer, by the first of them. */
export function useQuestion(name: Name): { label: string; hint?: string } {
  const { t } = useLingui()
  const { isQuestion, hint } = aboutOf(name)
  const called = nameOfField(name)
  return { label: called ? t(called) : '', ...(isQuestion && hint && { hint: t(hint) }) }
}

/** What is wrong with a field, as a sentence. */
function useMessage(name: Name): string | undefined {
  const { getFieldState, formState } = useFormContext<ScanForm>()
  const message: unknown = getFieldState(name, formState).error?.message
  return typeof message === 'string' ? message : undefined
}

/** A text of the form, with its error below. */
export function TextField(props: TextProps) {
  const { name, optional, required, rows, type = 'text', width } = props
  const { placeholder = aboutOf(name).placeholder } = props
  const { t } = useLingui()
  const words = useWords(props)
  const { register } = useFormContext<ScanForm>()
  const error = useMessage(name)
  const shared = {
    ...register(name),
    required,
    placeholder,
    autoComplete: type === 'password' ? 'new-password' : 'off',
  }
  return (
    <Field
      {...words}
      error={error}
      id={name}
      {...(optional ? { optional: t`optional` } : {})}
      {...(width ? { width } : {})}
    >
      {(control) =>
        rows === undefined ? (
          <input
            {...control}
            {...shared}
            spellCheck={false}
            {...(type === 'number' ? { inputMode: 'numeric' as const } : { type })}
          />
        ) : (
          <textarea {...control} {...shared} rows={rows} spellCheck={false} />
        )
      }
    </Field>
  )
}

/** A tick box of the form. */
export function TickField(props: Common & { value?: string }) {
  const { name, value } = props
  const { register } = useFormContext<ScanForm>()
  return (
    <CheckField {...useWords(props)}>
      {(control) => <input {...control} type="checkbox" value={value} {...register(name)} />}
    </CheckField>
  )
}

export type Option<T extends string = string> = { value: T; label: string; hint?: string }

/** One of a list. */
export function SelectField(props: Common & { options: readonly Option[]; width?: 'narrow' }) {
  const { name, options, width } = props
  const { register } = useFormContext<ScanForm>()
  const error = useMessage(name)
  return (
    <Field {...useWords(props)} error={error} id={name} {...(width ? { width } : {})}>
      {(control) => (
        <select {...control} {...register(name)}>
          {options.map(({ value, label: text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

/** One of a few, each with what it means. */
export function ChoiceField(props: Common & { options: readonly Option[] }) {
  const { name, options } = props
  const { register } = useFormContext<ScanForm>()
  return (
    <Question {...useWords(props)}>
      {options.map(({ value, label: text, hint: means }) => (
        <CheckField key={value} label={text} {...(means === undefined ? {} : { hint: means })}>
          {(control) => <input {...control} type="radio" value={value} {...register(name)} />}
        </CheckField>
      ))}
    </Question>
  )
}

type QuestionProps = { label: string; hint?: ReactNode; error?: string | undefined; children: ReactNode }

/** Several controls that answer one question. */
export function Question({ label, hint, error, children }: QuestionProps) {
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <fieldset className={styles.question} aria-describedby={described || undefined}>
      <legend className={field.legend}>{label}</legend>
      {hint && (
        <p id={`${id}-hint`} className={field.hint}>
          {hint}
        </p>
      )}
      {children}
      {error && (
        <p id={`${id}-error`} className={field.error}>
          {error}
        </p>
      )}
    </fieldset>
  )
}

type RowListProps = {
  name: 'components' | 'ownScripts' | 'variables' | 'extraHeaders' | 'excludeRules' | 'includeRules'
  /** Of `useRowFocus`: gets the focus when the last row has gone. */
  list: RefObject<HTMLDivElement | null>
  /** What the button says that adds a row. */
  add: string
  onAdd: () => void
  /** The rows, and what is said of them. */
  children: ReactNode
}

/** A field of several rows. */
export function RowList({ name, list, add, onAdd, children }: RowListProps) {
  const { label, hint } = useWords({ name })
  return (
    <div className={layout.tight} ref={list} tabIndex={-1} role="group" aria-label={label}>
      <p className={field.legend}>{label}</p>
      <p className={field.hint}>{hint}</p>
      {children}
      <div>
        <Button small icon="plus" onPress={onAdd}>
          {add}
        </Button>
      </div>
    </div>
  )
}

/** How many secrets of a list of rows the server keeps. */
export function StoredValues({ stored }: { stored: number }) {
  if (stored === 0) return null
  return (
    <p className={field.hint}>
      <Plural
        value={stored}
        one="# value is stored. Leave its field empty to keep it."
        other="# values are stored. Leave their fields empty to keep them."
      />
    </p>
  )
}
