import type { Severity } from '@clearway/contract/monitor/ruleset/schema.ts'
import type { Picture } from '@clearway/engine/outcome.ts'
import type { RuleTexts } from './rule-text.ts'
import type { ReportIssue } from './schema.ts'

/** Emphasis of a text on a terminal; a link leads to the text. */
export type Style = (emphasis: 'strong' | 'weak' | 'link' | Severity, text: string) => string

export const plainStyle: Style = (_, text) => text

/** How to present a report, and what it does not contain. */
export type FormatContext = {
  texts: RuleTexts
  style: Style
  pictures: ReadonlyMap<ReportIssue, Picture>
  /** For a gate: what to say instead of the score, and the state of each issue. */
  summary?: string
  states?: ReadonlyMap<ReportIssue, 'new' | 'known'>
  /** For a gate: identity of each issue in the baseline, and the URL of a page on the site that a preview stands for. */
  keys?: ReadonlyMap<ReportIssue, string | undefined>
  toSiteUrl?: (url: string) => string
  /** For a gate: known issues that were not checked. */
  uncheckedIssues?: readonly { url: string; rule: string; key: string; element: string }[]
}
