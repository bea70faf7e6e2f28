import * as z from 'zod/mini'
import { ChangingRequest } from '../../page/request/schema.ts'
import { ScanId, ScriptId } from '../../../kit/id.ts'
import { defaultLimits } from '../../../kit/limit.ts'
import { Count } from '../../../kit/count.ts'
import { Milliseconds } from '../../../kit/time.ts'
import { ExclusionReason, FailureReason } from '../../page/schema.ts'
import { ScanSettings } from '../../scan/schema.ts'
import { EnvironmentVariable, ScriptError, ScriptType } from '../../script/schema.ts'

/** Time limit of a scope preview, in seconds. */
export const previewLimitSeconds = 30

/** Settings of an unsaved scan as in a form, where the name is optional. */
export const PreviewSettings = z.extend(ScanSettings, {
  name: z._default(z.string().check(z.maxLength(defaultLimits.nameLength)), ''),
})
export type PreviewSettings = z.output<typeof PreviewSettings>

/** `scanId`: secrets that are null in the settings are taken from this scan. */
const previewFields = { settings: PreviewSettings, scanId: z.optional(ScanId) }

export const ScopePreviewBody = z.strictObject(previewFields)
export const ScopeTestBody = z.strictObject({
  ...previewFields,
  url: z.string().check(z.trim(), z.minLength(1), z.maxLength(4000)),
})

/** A URL as typed by a user, possibly without a scheme. */
export const ReachBody = z.strictObject({
  url: z.string().check(z.trim(), z.minLength(1), z.maxLength(4000)),
  scanId: z.optional(ScanId),
})
/** Statuses that depend on the requester rather than the page: a run in a browser that signs in may get access. */
export const requesterDependentStatuses: readonly number[] = [401, 403, 429]
export const ReachedUrl = z.object({
  /** URL with the scheme that responded: https first, then http. Null if none did. */
  url: z.nullable(z.string()),
  /** Redirect target, if it has another host or scheme. */
  leadsTo: z.nullable(z.string()),
  status: z.nullable(Count),
  reason: z.nullable(FailureReason),
  /** Details of the reason, in English. */
  detail: z.nullable(z.string()),
})

/** A URL with the verdict that a run would give it. */
export const PreviewedUrl = z.object({
  url: z.string(),
  depth: Count,
  /** First page that links to it; null for a start URL. */
  foundOn: z.nullable(z.string()),
  verdict: z.enum(['crawled', 'failed', 'excluded']),
  /** Reason of a failure or an exclusion; null if it would be crawled. */
  reason: z.nullable(z.union([FailureReason, ExclusionReason])),
  /** Details in English: the rule, the host. */
  detail: z.nullable(z.string()),
})
export type PreviewedUrl = z.output<typeof PreviewedUrl>

/** End of a preview: complete, time limit, URL limit, or it could not start. */
export const PreviewEnd = z.enum(['whole', 'time', 'count', 'problem'])

/** Pages of a scope preview, compared with those that the last run tested. */
export const PreviewChange = z.object({
  /** Number of the last run. */
  run: Count,
  keptCount: Count,
  added: z.array(z.string()),
  /** Pages that the last run tested and the preview leaves out; null if the preview ended before it knew. */
  leftOut: z.nullable(z.array(z.string())),
})
export type PreviewChange = z.output<typeof PreviewChange>

/** Events of a scope preview in chronological order; `end` is the last. A further event about a URL replaces the previous one. */
export const ScopePreviewEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('url'), url: PreviewedUrl }),
  z.object({
    type: z.literal('end'),
    end: PreviewEnd,
    detail: z.nullable(z.string()),
    /** Null for a scan without a run, for a last run with more pages than a preview reports, and after a problem. */
    change: z.nullable(PreviewChange),
  }),
])
export type ScopePreviewEvent = z.output<typeof ScopePreviewEvent>

/** A variable of a script. Null means the stored value: that of the shared script, otherwise of the scan. */
const DryRunVariable = z.strictObject({
  name: EnvironmentVariable.shape.name,
  value: z.nullable(EnvironmentVariable.shape.value),
})

/** A script to try. Without `settings`, those of `scanId` or the defaults. `scriptId` is the shared script being edited. */
export const DryRunBody = z.strictObject({
  script: z.string().check(z.minLength(1), z.maxLength(defaultLimits.scriptLength)),
  type: ScriptType,
  variables: z._default(z.array(DryRunVariable).check(z.maxLength(defaultLimits.scriptVariables)), []),
  settings: z.optional(PreviewSettings),
  scanId: z.optional(ScanId),
  scriptId: z.optional(ScriptId),
})
export type DryRunBody = z.output<typeof DryRunBody>

/** A base64-encoded JPEG; null if there is none, or it would be too large. */
const Screenshot = z.nullable(z.string())

/** Result of one step. Texts contain variable names, never their values. */
export const DryRunStep = z.object({
  page: z.string(),
  /** Starts at 1; 0 opens the page's URL. Global steps are numbered separately. */
  number: Count,
  global: z.boolean(),
  line: z.int(),
  text: z.string(),
  ok: z.boolean(),
  /** Description of the result or of the problem, in English. */
  found: z.string(),
  durationMs: Milliseconds,
  screenshot: Screenshot,
})

/** Events of a dry run: each finished step, then the end. */
export const DryRunEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('step'), step: DryRunStep }),
  z.object({
    type: z.literal('end'),
    /** `invalid`: the script is invalid, see `errors`. `problem`: it could not start. */
    end: z.enum(['done', 'failed', 'invalid', 'problem']),
    reason: z.nullable(FailureReason),
    detail: z.nullable(z.string()),
    errors: z.array(ScriptError),
  }),
])
export type DryRunEvent = z.output<typeof DryRunEvent>

/** A page as the browser saw it while a sign-in was tried. */
export const SignInView = z.object({ url: z.string(), title: z.string(), status: z.nullable(Count), screenshot: Screenshot })
export type SignInView = z.output<typeof SignInView>

/** A button of a start page, as candidate for the scan's `bannerSelectors`. */
export const PageButton = z.object({
  /** Finds this button alone. */
  selector: z.string(),
  text: z.string(),
  /** Part of the window that it covers, as shares of its width and height; null in a frame. */
  box: z.nullable(z.object({ left: z.number(), top: z.number(), width: z.number(), height: z.number() })),
})
export type PageButton = z.output<typeof PageButton>

/** The first start page as it arrives, and its buttons, those of layers first; the only event. */
export const PageButtonsEvent = z.object({
  type: z.literal('end'),
  /** Reason why the page could not be opened, in English; null if it was. */
  detail: z.nullable(z.string()),
  page: z.nullable(SignInView),
  buttons: z.array(PageButton),
})
export type PageButtonsEvent = z.output<typeof PageButtonsEvent>

/** Result of trying the sign-in of a scan; the only event. */
export const SignInTryEvent = z.object({
  type: z.literal('end'),
  /** `unproved`: the start page looks the same with the session. `refused`: not accepted by the site. `problem`: not tried. */
  end: z.enum(['signed-in', 'unproved', 'refused', 'problem']),
  /** Reason of a refusal or a problem, in English. */
  detail: z.nullable(z.string()),
  /** The user name, if the start page shows it. */
  signedInAs: z.nullable(z.string()),
  /** Texts of the start page that only signed-in visitors see. */
  memberTexts: z.array(z.string()),
  /** Requests of the start page with the session that may change something: look-only mode would hold them. */
  changingRequests: z._default(z.array(ChangingRequest), []),
  visitorPage: z.nullable(SignInView),
  /** The start page with the session; after a refusal, the page that the sign-in ended on. */
  memberPage: z.nullable(SignInView),
})
export type SignInTryEvent = z.output<typeof SignInTryEvent>
