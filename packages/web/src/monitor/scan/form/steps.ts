import * as z from 'zod/mini'
import type { WizardStep } from './step-name.ts'
import { wizardSteps } from './step-name.ts'
import { secretFields, stepFields } from './field-table.ts'
import { ScanForm } from './values.ts'

const stepByField = new Map<string, WizardStep>(
  wizardSteps.flatMap((stepName) =>
    stepFields[stepName].map((field): [string, WizardStep] => [field, stepName]),
  ),
)

/** Returns the step of a field by path; `excludeRules.2.pattern` is in the step of `excludeRules`. */
export const getStepOfField = (field: string): WizardStep =>
  stepByField.get(field.split('.')[0] ?? '') ?? 'general'

/** Matches a host with optional port, without credentials. */
const plainHostPattern = /^(?:\[[^\]]*\]|[^:@]*)(?::\d*)?$/

/**
 * Removes user name and password from a complete or partial URL. Also handles unencoded `/` and `#` in credentials.
 */
function removeCredentials(typedUrl: string): string {
  const schemePart = /^(?:https?:)?[/\\]{0,2}/i.exec(typedUrl)![0]
  const remainder = typedUrl.slice(schemePart.length)
  const authorityPart = remainder.slice(0, (/[/?#\\]/.exec(remainder) ?? { index: remainder.length }).index)
  if (plainHostPattern.test(authorityPart)) return typedUrl
  const separatorIndex = authorityPart.includes('@')
    ? authorityPart.lastIndexOf('@')
    : remainder.lastIndexOf('@')
  return schemePart + remainder.slice(separatorIndex + 1)
}
/** The form refuses credentials in URLs, but drafts are saved before validation. */
const removeAllCredentials = (urls: string): string =>
  urls
    .split(/(\s+)/)
    .map((url) => removeCredentials(url))
    .join('')

/** Returns the form values that a draft stores, without secrets. */
export const toStorableValues = (formValues: ScanForm): ScanForm => ({
  ...formValues,
  urls: removeAllCredentials(formValues.urls),
  templateUrls: removeAllCredentials(formValues.templateUrls),
  sitemaps: removeAllCredentials(formValues.sitemaps),
  listedUrls: removeAllCredentials(formValues.listedUrls),
  referrer: removeAllCredentials(formValues.referrer),
  ...Object.fromEntries(secretFields.map((field) => [field, ''])),
  variables: formValues.variables.map((variable) => ({ ...variable, value: '' })),
  extraHeaders: formValues.extraHeaders.map((header) => ({ ...header, value: '' })),
})

/** Restores the form of a draft. Fields that are missing or incompatible with this version come from `fallback`. */
export function restoreDraftValues(
  storedDraft: Readonly<Record<string, unknown>>,
  fallback: ScanForm,
): ScanForm {
  const knownEntries = Object.entries(ScanForm.shape).flatMap(([name, field]) => {
    const parsedField = z.safeParse(field, storedDraft[name])
    return parsedField.success ? [[name, parsedField.data]] : []
  })
  return { ...fallback, ...(Object.fromEntries(knownEntries) as Partial<ScanForm>) }
}

const isSameValue = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Returns the fields that differ between two forms. */
export const findChangedFields = (a: ScanForm, b: ScanForm): (keyof ScanForm)[] =>
  (Object.keys(a) as (keyof ScanForm)[]).filter((field) => !isSameValue(a[field], b[field]))

export type MergeResult = {
  values: ScanForm
  /** Fields taken from the other user's changes. */
  takenFields: (keyof ScanForm)[]
  /** Fields changed by both; the current user's values are kept. */
  keptFields: (keyof ScanForm)[]
}

/** Merges two users' changes of one form field by field. On a conflict, the current user's value wins. */
export function mergeForms(base: ScanForm, mine: ScanForm, theirs: ScanForm): MergeResult {
  const ownChangedFields = new Set(findChangedFields(base, mine))
  const theirChangedFields = findChangedFields(base, theirs)
  const takenFields = theirChangedFields.filter((field) => !ownChangedFields.has(field))
  return {
    values: { ...mine, ...Object.fromEntries(takenFields.map((field) => [field, theirs[field]])) },
    takenFields,
    keptFields: theirChangedFields.filter(
      (field) => ownChangedFields.has(field) && !isSameValue(mine[field], theirs[field]),
    ),
  }
}
