import type { ReactNode } from 'react'
import { useId } from 'react'
import type { FieldPath } from 'react-hook-form'
import { useFormContext } from 'react-hook-form'
import { Plural, useLingui } from '@lingui/react/macro'
import { CheckField, Field } from '../../../../kit/form/field.tsx'
import field from '../../../../kit/form/field.module.css'
import type { ScanForm } from '../values.ts'
import styles from './fields.module.css'

type Name = FieldPath<ScanForm>
type Common = { name: Name; label: string; hint?: ReactNode }
type TextProps = Common & {
  optional?: boolean
  required?: boolean
  /** More than one line. */
  rows?: number
  type?: 'text' | 'number' | 'date' | 'time' | 'password'
  width?: 'narrow' | 'full'
  placeholder?: string
}

/** What is wrong with a field, as a sentence. */
function useMessage(name: Name): string | undefined {
  const { getFieldState, formState } = useFormContext<ScanForm>()
  const message: unknown = getFieldState(name, formState).error?.message
  return typeof message === 'string' ? message : undefined
}

/** A text of the form, with its error below. */
export function TextField(props: TextProps) {
  const { name, label, hint, optional, required, rows, type = 'text', width, placeholder } = props
  const { t } = useLingui()
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
      label={label}
      error={error}
      id={name}
      {...(hint === undefined ? {} : { hint })}
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
export function TickField({ name, label, hint, value }: Common & { hint?: string; value?: string }) {
  const { register } = useFormContext<ScanForm>()
  return (
    <CheckField label={label} {...(hint === undefined ? {} : { hint })}>
      {(control) => <input {...control} type="checkbox" value={value} {...register(name)} />}
    </CheckField>
  )
}

export type Option<T extends string = string> = { value: T; label: string; hint?: string }

/** One of a list. */
export function SelectField({
  name,
  label,
  hint,
  options,
  width,
}: Common & { options: readonly Option[]; width?: 'narrow' }) {
  const { register } = useFormContext<ScanForm>()
  const error = useMessage(name)
  return (
    <Field
      label={label}
      error={error}
      id={name}
      {...(hint === undefined ? {} : { hint })}
      {...(width ? { width } : {})}
    >
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
export function ChoiceField({ name, label, hint, options }: Common & { options: readonly Option[] }) {
  const { register } = useFormContext<ScanForm>()
  return (
    <Question label={label} hint={hint}>
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
