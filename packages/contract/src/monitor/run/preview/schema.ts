import * as z from 'zod/mini'
import { ScanId, ScriptId } from '../../../kit/id.ts'
import { defaultLimits } from '../../../kit/limit.ts'
import { Count } from '../../../kit/count.ts'
import { Milliseconds } from '../../../kit/time.ts'
import { ExclusionReason, FailureReason } from '../../page/schema.ts'
import { ScanSettings } from '../../scan/schema.ts'
import { EnvironmentVariable, ScriptError, ScriptType } from '../../script/schema.ts'

/** The settings of a scan that is not saved yet, as a form holds them: it need not have a name. */
export const PreviewSettings = z.extend(ScanSettings, {
  name: z._default(z.string().check(z.maxLength(defaultLimits.nameLength)), ''),
})
export type PreviewSettings = z.output<typeof PreviewSettings>

/** `scanId`: secrets that are null in the settings are those that this scan has stored. */
const previewed = { settings: PreviewSettings, scanId: z.optional(ScanId) }

export const ScopePreviewBody = z.strictObject(previewed)
export const ScopeTestBody = z.strictObject({
  ...previewed,
  url: z.string().check(z.trim(), z.minLength(1), z.maxLength(4000)),
})

/** A URL as somebody types it, perhaps without a scheme. */
export const ReachBody = z.strictObject({
  url: z.string().check(z.trim(), z.minLength(1), z.maxLength(4000)),
  scanId: z.optional(ScanId),
})
/** Statuses that say who asks rather than what is there: a run in a browser, that signs in, may well be let in. */
export const statusesOfWho: readonly number[] = [401, 403, 429]
/** What answers there. */
export const ReachedUrl = z.object({
  /** With the scheme that answered: https first, then http. Null when nothing did. */
  url: z.nullable(z.string()),
  /** Where its redirects lead, when that is another host or scheme. */
  leadsTo: z.nullable(z.string()),
  status: z.nullable(Count),
  /** Why nothing answered. */
  reason: z.nullable(FailureReason),
  /** English, for that. */
  detail: z.nullable(z.string()),
})

/** A URL as a run would treat it, and why. */
export const PreviewedUrl = z.object({
  url: z.string(),
  depth: Count,
  /** The page on which it was first met; null for a start URL. */
  foundOn: z.nullable(z.string()),
  verdict: z.enum(['crawled', 'failed', 'excluded']),
  /** Of a failure or an exclusion; null for what would be crawled. */
  reason: z.nullable(z.union([FailureReason, ExclusionReason])),
  /** English: which rule, which host. */
  detail: z.nullable(z.string()),
})
export type PreviewedUrl = z.output<typeof PreviewedUrl>

/** How a preview ended: everything was met, the time was up, there were more URLs than it shows, or it could not begin. */
export const PreviewEnd = z.enum(['whole', 'time', 'count', 'problem'])

/** Events of a preview of the scope, in the order in which they happen; `end` is the last. */
export const ScopePreviewEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('url'), url: PreviewedUrl }),
  z.object({ type: z.literal('end'), end: PreviewEnd, detail: z.nullable(z.string()) }),
])
export type ScopePreviewEvent = z.output<typeof ScopePreviewEvent>

/** A variable of a script. Null means the stored value: of the shared script, else of the scan. */
const DryRunVariable = z.strictObject({
  name: EnvironmentVariable.shape.name,
  value: z.nullable(EnvironmentVariable.shape.value),
})

/**
 * A script to try. `settings` say how it signs in and how its browser looks; left out, those that the scan of `scanId` has
 * stored, else the usual ones. `scriptId` is the shared script that is being edited.
 */
export const DryRunBody = z.strictObject({
  script: z.string().check(z.minLength(1), z.maxLength(defaultLimits.scriptLength)),
  type: ScriptType,
  variables: z._default(z.array(DryRunVariable).check(z.maxLength(defaultLimits.scriptVariables)), []),
  settings: z.optional(PreviewSettings),
  scanId: z.optional(ScanId),
  scriptId: z.optional(ScriptId),
})
export type DryRunBody = z.output<typeof DryRunBody>

/** A picture as the text of a JPEG in base64; null where there is none, or it would be too large. */
const Screenshot = z.nullable(z.string())

/** What came of one step. Texts name variables, never their values. */
export const DryRunStep = z.object({
  page: z.string(),
  /** From 1; 0 is the page's URL. Global steps have numbers of their own. */
  number: Count,
  global: z.boolean(),
  line: z.int(),
  text: z.string(),
  ok: z.boolean(),
  /** What was there, or what was wrong. English. */
  found: z.string(),
  durationMs: Milliseconds,
  screenshot: Screenshot,
})

/** Events of a dry run: each step as it is done, then how it ended. */
export const DryRunEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('step'), step: DryRunStep }),
  z.object({
    type: z.literal('end'),
    /** `invalid`: the text is no script, see `errors`. `problem`: it could not begin. */
    end: z.enum(['done', 'failed', 'invalid', 'problem']),
    reason: z.nullable(FailureReason),
    detail: z.nullable(z.string()),
    errors: z.array(ScriptError),
  }),
])
export type DryRunEvent = z.output<typeof DryRunEvent>
