import type { ScanDraft } from '@clearway/contract/monitor/scan/draft/schema.ts'
import { get, set } from 'react-hook-form'
import * as z from 'zod/mini'
import { findFieldOfPath, type FormField, formFields, secretFields, stepFields } from './field-table.ts'
import { createNewValues } from './model.ts'
import { type WizardStep, wizardSteps } from './step-name.ts'
import { ScanForm } from './values.ts'

const stepByField = new Map<string, WizardStep>(
  wizardSteps.flatMap((stepName) => stepFields[stepName].map((field): [string, WizardStep] => [field, stepName])),
)

/** Returns the step of a field by path; `excludeRules.2.pattern` is in the step of `excludeRules`. */
export const getStepOfField = (path: string): WizardStep => stepByField.get(findFieldOfPath(path) ?? '') ?? 'general'

/** Matches a host with optional port, without credentials. */
const plainHostPattern = /^(?:\[[^\]]*\]|[^:@]*)(?::\d*)?$/

/** Removes user name and password from a complete or partial URL. Also handles unencoded `/` and `#` in credentials. */
function removeCredentials(typedUrl: string): string {
  const schemePart = /^(?:https?:)?[/\\]{0,2}/i.exec(typedUrl)![0]
  const remainder = typedUrl.slice(schemePart.length)
  const authorityPart = remainder.slice(0, (/[/?#\\]/.exec(remainder) ?? { index: remainder.length }).index)
  if (plainHostPattern.test(authorityPart)) return typedUrl
  const separatorIndex = authorityPart.includes('@') ? authorityPart.lastIndexOf('@') : remainder.lastIndexOf('@')
  return schemePart + remainder.slice(separatorIndex + 1)
}
/** The form refuses credentials in URLs, but drafts are saved before validation. */
const removeAllCredentials = (urls: string): string =>
  urls
    .split(/(\s+)/)
    .map((url) => removeCredentials(url))
    .join('')

const urlFields: ReadonlySet<FormField> = new Set<FormField>([
  'urls',
  'commonComponents.templateUrls',
  'sources.sitemaps',
  'sources.urls',
  'advanced.referrer',
])
const secretFieldSet: ReadonlySet<FormField> = new Set(secretFields)

/** Values by field, as drafts store them: lists as lines, rows without their secrets. */
export type StorableValues = ScanDraft['values']
type StorableValue = StorableValues[string]

const isTextList = (value: unknown): value is string[] => Array.isArray(value) && value.every((item) => typeof item === 'string')
const toStorableRow = (row: object) =>
  Object.fromEntries(Object.entries(row).map(([key, value]) => [key, isTextList(value) ? value.join('\n') : (value as string)]))

function toStorableValue(field: FormField, value: unknown): StorableValue {
  if (secretFieldSet.has(field)) return ''
  if (field === 'scripts.variables' || field === 'advanced.extraHeaders')
    return (value as ScanForm['scripts']['variables']).map((row) => ({ ...row, value: '' }))
  // An empty list of rows must stay a list: as text, its schema could not read it.
  if (Array.isArray(value) && !isTextField(field)) return value.map(toStorableRow)
  const plainValue = isTextList(value) ? value.join('\n') : value
  return urlFields.has(field) && typeof plainValue === 'string' ? removeAllCredentials(plainValue) : (plainValue as StorableValue)
}

/** Returns the form values that a draft stores, without secrets. */
export const toStorableValues = (formValues: ScanForm): StorableValues =>
  Object.fromEntries(formFields.map((field) => [field, toStorableValue(field, get(formValues, field))]))

/** Returns the schema of a field; every group of fields is an object. */
const getFieldSchema = (field: FormField) =>
  field
    .split('.')
    .reduce((schema: z.ZodMiniType, key) => (schema as unknown as z.ZodMiniObject).shape[key] as z.ZodMiniType, ScanForm)

const withFields = (formValues: ScanForm, changes: readonly (readonly [FormField, unknown])[]): ScanForm => {
  const changedValues = structuredClone(formValues)
  for (const [field, value] of changes) set(changedValues, field, value)
  return changedValues
}

/** True for a field that drafts store as text. */
const isTextField = (field: FormField): boolean => z.safeParse(getFieldSchema(field), '').success

/** Fields by their last part, if it is unique. Drafts of version 0.2 name fields so. */
const fieldsByLastPart: ReadonlyMap<string, FormField> = new Map(
  [...Map.groupBy(formFields, (field) => field.split('.').at(-1)!)].flatMap(([lastPart, fields]) =>
    fields.length === 1 ? [[lastPart, fields[0]!] as const] : [],
  ),
)
const toCurrentFields = (storedDraft: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(storedDraft).map(([name, value]) => [fieldsByLastPart.get(name) ?? name, value]))

/** Restores the form of a draft. Fields that are missing or incompatible with this version come from `fallback`. */
export const restoreDraftValues = (storedDraft: Readonly<Record<string, unknown>>, fallback: ScanForm): ScanForm => {
  const storedValues = toCurrentFields(storedDraft)
  return withFields(
    fallback,
    formFields.flatMap((field) => {
      const parsedField = z.safeParse(getFieldSchema(field), storedValues[field])
      return parsedField.success ? [[field, parsedField.data] as const] : []
    }),
  )
}

const isSameValue = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

export const findChangedFields = (a: ScanForm, b: ScanForm): FormField[] =>
  formFields.filter((field) => !isSameValue(get(a, field), get(b, field)))

/** Fields whose values differ from those of a new scan. */
export const findCustomizedFields = (values: ScanForm): FormField[] => findChangedFields(createNewValues(), values)

export type MergeResult = {
  values: ScanForm
  /** Fields taken from the other user's changes. */
  takenFields: FormField[]
  /** Fields changed by both; the current user's values are kept. */
  keptFields: FormField[]
}

/** Merges two users' changes of one form field by field. On a conflict, the current user's value wins. */
export function mergeForms(base: ScanForm, mine: ScanForm, theirs: ScanForm): MergeResult {
  const ownChangedFields = new Set(findChangedFields(base, mine))
  const theirChangedFields = findChangedFields(base, theirs)
  const takenFields = theirChangedFields.filter((field) => !ownChangedFields.has(field))
  return {
    values: withFields(
      mine,
      takenFields.map((field) => [field, get(theirs, field)] as const),
    ),
    takenFields,
    keptFields: theirChangedFields.filter(
      (field) => ownChangedFields.has(field) && !isSameValue(get(mine, field), get(theirs, field)),
    ),
  }
}
