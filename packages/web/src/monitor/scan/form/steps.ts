import * as z from 'zod/mini'
import type { Step } from './step-name.ts'
import { steps } from './step-name.ts'
import { secretFields, stepFields } from './field-table.ts'
import { ScanForm } from './values.ts'

const stepByField = new Map<string, Step>(
  steps.flatMap((step) => stepFields[step].map((field): [string, Step] => [field, step])),
)

/** The step in which a field is; `excludeRules.2.pattern` is where `excludeRules` is. */
export const stepOf = (field: string): Step => stepByField.get(field.split('.')[0] ?? '') ?? 'general'

/** A host, with a port or without: no user name before it. */
const plainHost = /^(?:\[[^\]]*\]|[^:@]*)(?::\d*)?$/

/** A URL, or what is to become one, without user name and password, also where these are typed as they are, with `/` or `#` in them. */
function withoutCredentials(typed: string): string {
  const scheme = /^(?:https?:)?[/\\]{0,2}/i.exec(typed)![0]
  const rest = typed.slice(scheme.length)
  const authority = rest.slice(0, (/[/?#\\]/.exec(rest) ?? { index: rest.length }).index)
  if (plainHost.test(authority)) return typed
  const at = authority.includes('@') ? authority.lastIndexOf('@') : rest.lastIndexOf('@')
  return scheme + rest.slice(at + 1)
}
/** The form refuses user names and passwords in URLs: a draft is saved before it does. */
const eachWithout = (urls: string): string =>
  urls
    .split(/(\s+)/)
    .map((one) => withoutCredentials(one))
    .join('')

/** The values that a draft keeps, without secrets. */
export const storable = (form: ScanForm): ScanForm => ({
  ...form,
  urls: eachWithout(form.urls),
  templateUrls: eachWithout(form.templateUrls),
  sitemaps: eachWithout(form.sitemaps),
  listedUrls: eachWithout(form.listedUrls),
  referrer: eachWithout(form.referrer),
  ...Object.fromEntries(secretFields.map((field) => [field, ''])),
  variables: form.variables.map((variable) => ({ ...variable, value: '' })),
  extraHeaders: form.extraHeaders.map((header) => ({ ...header, value: '' })),
})

/** The form of a draft. Fields that are missing or have another shape in this version come from another form. */
export function knownForm(stored: Readonly<Record<string, unknown>>, otherwise: ScanForm): ScanForm {
  const known = Object.entries(ScanForm.shape).flatMap(([name, field]) => {
    const read = z.safeParse(field, stored[name])
    return read.success ? [[name, read.data]] : []
  })
  return { ...otherwise, ...(Object.fromEntries(known) as Partial<ScanForm>) }
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** The fields in which two forms differ. */
export const changedFields = (a: ScanForm, b: ScanForm): (keyof ScanForm)[] =>
  (Object.keys(a) as (keyof ScanForm)[]).filter((field) => !same(a[field], b[field]))

export type Merged = {
  values: ScanForm
  /** Taken from the others. */
  taken: (keyof ScanForm)[]
  /** Changed by both: mine was kept. */
  kept: (keyof ScanForm)[]
}

/** What two people made of one form: each field as the one who changed it left it, mine when both did. */
export function merge(base: ScanForm, mine: ScanForm, theirs: ScanForm): Merged {
  const own = new Set(changedFields(base, mine))
  const others = changedFields(base, theirs)
  const taken = others.filter((field) => !own.has(field))
  return {
    values: { ...mine, ...Object.fromEntries(taken.map((field) => [field, theirs[field]])) },
    taken,
    kept: others.filter((field) => own.has(field) && !same(mine[field], theirs[field])),
  }
}
