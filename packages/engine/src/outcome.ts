import type { Fix, Target } from '@clearway/contract/monitor/issue/schema.ts'
import type {
  ExclusionReason,
  FailureReason,
  Health,
  PageNotice,
} from '@clearway/contract/monitor/page/schema.ts'
import type { Impact, Severity } from '@clearway/contract/monitor/ruleset/schema.ts'
import type { RunProblem } from '@clearway/contract/monitor/run/schema.ts'
import type * as z from 'zod/mini'

/** One element that one rule names, as found on one page. */
export type Finding = {
  rule: string
  impact: Impact | null
  /** The impact, or `needs review` for what axe calls incomplete. */
  severity: Severity
  help: string
  description: string
  helpUrl: string
  tags: string[]
  target: Target
  html: string
  fix: Fix
  /** The identity of the element, without axe's selector: see `axe/element-key`. Equal on every run while the element stays. */
  elementKey: string
  /** The same without ordinals and page: the pattern that a template shares over pages. */
  elementPattern: string
  /** Which of several elements with one key on this page and rule, in document order from 0. */
  ordinal: number
  picture: Picture | null
  /** Name of the common component that the element is in. */
  component?: string | null
}

/**
 * A photograph that shows an element, which others may share. `box` is where the element is, in the picture's CSS pixels.
 * It may be of another page of the run, on which the element is the same.
 */
export type Picture = {
  image: Uint8Array
  mimeType: 'image/jpeg' | 'image/png'
  box: { x: number; y: number; width: number; height: number }
}

type Visited = {
  /** URL after redirects, as the browser shows it. */
  finalUrl: string
  httpStatus: number | null
  mimeType: string | null
  durationMs: number
}

/** Everything that can become of one claimed URL. */
export type PageOutcome =
  | (Visited & {
      kind: 'completed'
      title: string
      health: Health
      findings: Finding[]
      notices: PageNotice[]
      /** What the notices are about, in English: the frames that were not tested. */
      detail?: string | null
      /** Common components that are on the page, by name. */
      components?: string[]
      /** For a state that a script reached: `{page name}-{analyze title}`. */
      stateLabel?: string
      /** Serialised document, at most `pageContentBytes`; null when the scan keeps none. */
      content: string | null
      /** Photographs of the page, from its top down: its window as it opens, and where else something was found. */
      views?: Uint8Array[]
      /** All that axe can see of it, in one word; null or left out where that cannot be said, or is not wanted. */
      fingerprint?: string | null
      /** Its fingerprint was the one that was known, and it was analysed to see whether that can be relied on. */
      audited?: boolean
      /** The known fingerprint again: the page keeps what was found then, of which nothing is here. */
      unchanged?: boolean
    })
  | (Partial<Visited> & {
      kind: 'failed'
      reason: FailureReason
      /** English: host, status line, what was seen. */ detail: string
      durationMs: number
      /** JPEG of the moment in which a script's step failed. */ screenshot?: Uint8Array
    })
  | (Partial<Visited> & {
      kind: 'excluded'
      reason: ExclusionReason
      detail: string
      durationMs: number
      /** For a redirect or a duplicate: where to. */ leadsTo?: string
    })

/** How this process's part in a run ended. */
export type ScanEnd =
  | { kind: 'drained' }
  | { kind: 'stopped' }
  /** Nothing could be scanned, or not all of it. `detail` is English and names the thing. */
  | { kind: 'problem'; problem: z.output<typeof RunProblem>; detail: string }
