import type { WallKind } from '@clearway/contract/monitor/page/evidence/schema.ts'
import type { PageNotice } from '@clearway/contract/monitor/page/schema.ts'
import type { Severity } from '@clearway/contract/monitor/ruleset/schema.ts'

/** A text with a number, which stands at `#`. Languages without plural forms have `other` alone. */
export type CountText = { one?: string; other: string }

/** Texts around the issues of a report in one language, with `{names}` of values to fill in. */
export type ReportLabels = {
  language: string
  severities: Record<Severity, string>
  rules: CountText
  elements: CountText
  pages: CountText
  issues: CountText
  newIssues: CountText
  knownUrls: CountText
  moreElements: CountText
  moreRules: CountText
  where: string
  firstUrl: string
  fix: string
  seenIn: string
  note: string
  notSeen: string
  notChecked: string
  notCheckedList: string
  issueCounts: string
  score: string
  unknownScore: string
  scoredPages: string
  result: string
  limit: string
  driven: string
  drivenInPart: string
  unseen: string
  beyondLimit: string
  otherForms: string
  gate: string
  axeChanged: string
  newMark: string
  alsoOn: string
  passingNew: string
  axeOnly: string
  accessibility: string
  accessibilityOf: string
  newIssuesOf: string
  bestPractices: string
  none: string
  screenshot: string
  omitted: string
  moreAbout: string
  more: string
  headings: Record<
    | 'issues'
    | 'issue'
    | 'pages'
    | 'page'
    | 'result'
    | 'impact'
    | 'rule'
    | 'rules'
    | 'elements'
    | 'pageCount'
    | 'where'
    | 'firstElement'
    | 'search'
    | 'filter'
    | 'allRules',
    string
  >
  shown: string
  notices: Record<PageNotice, string>
  frames: string
  walls: Record<WallKind, string>
}

/** Fills in the values of a text. Placeholders without a value stay as they are. */
export const fillLabel = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : placeholder))

/** A number with the form of its text that the language has for it. */
export function formatCount({ language }: ReportLabels, { one, other }: CountText, count: number): string {
  const isOne = one !== undefined && new Intl.PluralRules(language).select(count) === 'one'
  return (isOne ? one : other).replace('#', String(count))
}
