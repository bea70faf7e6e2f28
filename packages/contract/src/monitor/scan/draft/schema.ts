import * as z from 'zod/mini'
import { Count } from '../../../kit/count.ts'
import { Instant } from '../../../kit/time.ts'

/** Maximum bytes of a draft: the form, and its initial values. */
export const maxDraftBytes = 4 * 1024 * 1024
/** Maximum number of drafts per person; the most recently changed ones are kept. */
export const maxDraftsPerPerson = 20
/** Days that a draft is kept after its last change. */
export const draftRetentionDays = 30

const fieldKeySchema = z.string().check(z.maxLength(500), z.regex(/^[^\0\p{Cs}]*$/u))
const PlainValue = z.union([z.string(), z.boolean(), z.number(), z.null()])
const FieldRow = z.record(fieldKeySchema, PlainValue)
/** Maximum number of values in a draft: several times that of the largest form. */
export const maxDraftValues = 20_000

/** Returns true if a value contains at most `maxValues` nested values. Stops counting at the limit. */
function hasAtMostValues(value: unknown, maxValues: number): boolean {
  const pendingValues = [value]
  for (let valueIndex = 0; valueIndex < pendingValues.length; valueIndex++) {
    const currentValue = pendingValues[valueIndex]
    if (typeof currentValue !== 'object' || currentValue === null) continue
    const childCount = Array.isArray(currentValue) ? currentValue.length : Object.keys(currentValue).length
    if (pendingValues.length + childCount > maxValues) return false
    pendingValues.push(...(Object.values(currentValue) as unknown[]))
  }
  return true
}

/** Checked before validation: millions of values would block the server for seconds. */
const limitValues = z.transform((value: unknown, transformContext) => {
  if (!hasAtMostValues(value, maxDraftValues))
    transformContext.issues.push({ code: 'too_big', origin: 'array', maximum: maxDraftValues, input: value })
  return value
})
/** Form data of the screen that wrote the draft. Other versions may have other fields, and use those that they know. */
const DraftForm = z.pipe(
  limitValues,
  z.record(fieldKeySchema, z.union([PlainValue, FieldRow, z.array(z.union([PlainValue, FieldRow]))])),
)
const stepNamesSchema = z.array(z.string().check(z.maxLength(50))).check(z.maxLength(50))

/** Unsaved form data of a scan. The screen omits passwords and other secrets. */
export const ScanDraft = z.strictObject({
  values: DraftForm,
  /** Initial values of the form, and the version of that scan; null for a new one. */
  base: DraftForm,
  version: z.nullable(Count),
  /** Completed steps, and skipped steps. */
  left: stepNamesSchema,
  skipped: stepNamesSchema,
  /** Time of entry, by the browser's clock. */
  savedAt: Instant,
})
export type ScanDraft = z.output<typeof ScanDraft>

/** Key of a draft of a new scan: the URL or scan from which it was created; empty for neither. */
export const NewDraftQuery = z.object({ begunWith: z._default(z.string().check(z.maxLength(4000)), '') })
