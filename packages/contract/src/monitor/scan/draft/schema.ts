import * as z from 'zod/mini'
import { Count } from '../../../kit/count.ts'
import { Instant } from '../../../kit/time.ts'

/** Bytes of a draft: a form and what it was opened with. */
export const draftBytes = 4 * 1024 * 1024
/** Drafts of one person; the ones changed last are kept. */
export const draftsPerPerson = 20
/** For how many days a draft is kept after its last change. */
export const draftDays = 30

const key = z.string().check(z.maxLength(500), z.regex(/^[^\0\p{Cs}]*$/u))
const Plain = z.union([z.string(), z.boolean(), z.number(), z.null()])
const Row = z.record(key, Plain)
/** Values of one form: several times what the largest has. */
export const draftValues = 20_000

/** Whether a value has no more values in it than this, those of its records and lists included. It stops counting there. */
function isOfFew(value: unknown, most: number): boolean {
  const found = [value]
  for (let at = 0; at < found.length; at++) {
    const one = found[at]
    if (typeof one !== 'object' || one === null) continue
    const count = Array.isArray(one) ? one.length : Object.keys(one).length
    if (found.length + count > most) return false
    found.push(...(Object.values(one) as unknown[]))
  }
  return true
}

/** Before each is looked at: with millions of values in a body, that would keep the server from everybody for seconds. */
const ofFew = z.transform((value: unknown, context) => {
  if (!isOfFew(value, draftValues))
    context.issues.push({ code: 'too_big', origin: 'array', maximum: draftValues, input: value })
  return value
})
/** The form of the screen that wrote the draft. A later version may have other fields: it takes those that it knows. */
const Form = z.pipe(ofFew, z.record(key, z.union([Plain, Row, z.array(z.union([Plain, Row]))])))
const stepNames = z.array(z.string().check(z.maxLength(50))).check(z.maxLength(50))

/** What a person entered for a scan and has not saved. The screen leaves out passwords and other secrets. */
export const ScanDraft = z.strictObject({
  values: Form,
  /** What the form was opened with, and the version of that scan; null for a new one. */
  base: Form,
  version: z.nullable(Count),
  /** Steps that were passed, and those that were skipped. */
  left: stepNames,
  skipped: stepNames,
  /** When it was entered, by the clock of the browser. */
  savedAt: Instant,
})
export type ScanDraft = z.output<typeof ScanDraft>

/** Which draft of a new scan: the URL or the scan that the person started from; empty for neither. */
export const NewDraftQuery = z.object({
  begunWith: z._default(z.string().check(z.maxLength(4000)), ''),
})
