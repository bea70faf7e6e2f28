import type { Fix, Target } from '@clearway/contract/monitor/issue/schema.ts'
import type { ExclusionReason, FailureReason, Health, PageNotice } from '@clearway/contract/monitor/page/schema.ts'
import type { SentRequests } from '@clearway/contract/monitor/page/request/schema.ts'
import type { PageEvidence } from '@clearway/contract/monitor/page/evidence/schema.ts'
import type { WalkedPage } from '@clearway/contract/monitor/ruleset/drive/schema.ts'
import type { Impact, Severity } from '@clearway/contract/monitor/ruleset/schema.ts'
import type { RunProblem } from '@clearway/contract/monitor/run/schema.ts'
import type * as z from 'zod/mini'

/** One element on one page that violates one rule. */
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
  /**
   * Identity of the element, independent of axe's selector (see `axe/element-key`). Stable across runs while the element stays.
   */
  elementKey: string
  /** Its location by the method of versions whose keys had no traits; undefined for findings whose method has not changed. */
  previousKey?: string
  /** The same without ordinals and page: the pattern that a template shares across pages. */
  elementPattern: string
  /** Position among elements with the same key, page and rule, in document order from 0. */
  ordinal: number
  picture: Picture | null
  /** Name of the common component that the element is in. */
  component?: string | null
  /** `driven` for what only a driven browser shows; omitted for the page as it arrived. */
  engine?: 'driven'
  /** States of the page in which it was seen: `390 px`, `dark`, `opened: Menu`; omitted for the page itself. */
  states?: string[]
}

/**
 * A screenshot that shows an element and that findings may share. `box` locates the element in the image's CSS pixels.
 * The screenshot may come from another page of the run on which the element is identical.
 */
export type Picture = {
  image: Uint8Array
  mimeType: 'image/jpeg' | 'image/png'
  box: { x: number; y: number; width: number; height: number }
}

/** Hashes of the content and the structure of a page, to tell it from others of its site. */
export type PageSignature = {
  /** Main text, controls with their states, and media. */
  content: string
  /** The same without numbers of the page's own address, dates and tokens. */
  masked: string
  /** Outline of the elements. */
  template: string
  /** The page asks search engines not to list it. */
  isUnlisted: boolean
  /** Most of the main text is in links. */
  isListing?: boolean
  /** Canonical URL in the scope that the page declares, also its own; null if none. */
  canonical?: string | null
  /** The scan counts it as a page of its own, whatever its content is. */
  isSeparate?: boolean
}

type VisitDetails = {
  /** URL after redirects, as the browser shows it. */
  finalUrl: string
  httpStatus: number | null
  mimeType: string | null
  durationMs: number
  /** Requests of the visit; omitted if no browser opened it. */
  requests?: SentRequests
}

/** All possible outcomes of one claimed URL. */
export type PageOutcome =
  | (VisitDetails & {
      kind: 'completed'
      title: string
      /** Null behind a wall: the content was not seen. */
      health: Health | null
      findings: Finding[]
      notices: PageNotice[]
      /** Omitted for PDFs. */
      signature?: PageSignature
      /** Evidence of the seen content; omitted for PDFs and for pages without an axe run. */
      evidence?: PageEvidence
      /** Subject of the notices, in English: the untested frames, the likely kind of a wall. */
      detail?: string | null
      /** How far the page was driven; omitted if it was not. */
      driven?: WalkedPage
      /** Common components that are on the page, by name. */
      components?: string[]
      /** For a state that a script reached: `{page name}-{analyze title}`. */
      stateLabel?: string
      /** Serialized document, at most `pageContentBytes`; null if the scan keeps none. */
      content: string | null
      /** Screenshots of the page from top to bottom: the initial viewport, and other places with findings. */
      views?: Uint8Array[]
      /** True if the page was proved to be shown to the signed-in user; undefined if the scan does not sign in. */
      isProved?: boolean
      /** Hash of everything axe can see; null or omitted if it cannot be computed or is not needed. */
      fingerprint?: string | null
      /** The fingerprint matched the known one, and the page was analyzed to audit the reuse. */
      audited?: boolean
      /** The fingerprint matched the known one: the page keeps its previous findings, none of which are included here. */
      unchanged?: boolean
    })
  | (Partial<VisitDetails> & {
      kind: 'failed'
      reason: FailureReason
      /** English: host, status line, what was seen. */
      detail: string
      durationMs: number
      /** JPEG of the moment in which a script's step failed. */
      screenshot?: Uint8Array
    })
  | (Partial<VisitDetails> & {
      kind: 'excluded'
      reason: ExclusionReason
      detail: string
      durationMs: number
      /** For a redirect or a duplicate: where to. */
      leadsTo?: string
    })

/** Outcome of this process's part in a run. */
export type ScanEnd =
  | { kind: 'drained' }
  | { kind: 'stopped' }
  /** Nothing, or not everything, could be scanned. `detail` is English and names the cause. */
  | { kind: 'problem'; problem: z.output<typeof RunProblem>; detail: string }
