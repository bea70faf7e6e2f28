import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { IssueChange, IssueStatus, ReviewAnswer } from '@clearway/contract/monitor/issue/schema.ts'
import type { FindingEngine } from '@clearway/contract/monitor/ruleset/drive/schema.ts'
import { parseCriterion } from '@clearway/contract/monitor/ruleset/criterion/model.ts'
import type * as z from 'zod/mini'

export const statusLabels: Record<IssueStatus, MessageDescriptor> = {
  none: msg`No status`,
  open: msg`Open`,
  fixed: msg`Fixed`,
  ignored: msg`Ignored`,
}

export const reviewLabels: Record<ReviewAnswer, MessageDescriptor> = {
  issue: msg`Reviewed: an issue`,
  'not-issue': msg`Reviewed: not an issue`,
  unsure: msg`Reviewed: cannot tell`,
}

export const changeLabels: Record<z.output<typeof IssueChange>, MessageDescriptor> = {
  new: msg`New in this run`,
  still: msg`Still there`,
  back: msg`Reappeared`,
  fixed: msg`Resolved`,
  'not-rechecked': msg`Not tested again`,
  'page-gone': msg`Page no longer found`,
}

/** Labels for the checks that find issues. */
export const engineLabels: Record<FindingEngine, MessageDescriptor> = {
  axe: msg`Rules of axe-core`,
  pdf: msg`PDF checks`,
  driven: msg`Keyboard and mouse`,
}

/** Converts tags of standards and criteria to readable names: wcag143 becomes WCAG 1.4.3. */
export function getStandardNames(tags: readonly string[]): string[] {
  const standardLabels: Record<string, string> = {
    wcag2a: 'WCAG 2.0 A',
    wcag2aa: 'WCAG 2.0 AA',
    wcag2aaa: 'WCAG 2.0 AAA',
    wcag21a: 'WCAG 2.1 A',
    wcag21aa: 'WCAG 2.1 AA',
    wcag22aa: 'WCAG 2.2 AA',
    section508: 'Section 508',
    'EN-301-549': 'EN 301 549',
    TTv5: 'Trusted Tester v5',
  }
  return tags.flatMap((tag) => {
    const criterionNumber = parseCriterion(tag)
    if (criterionNumber) return [`WCAG ${criterionNumber}`]
    return standardLabels[tag] ?? []
  })
}

/** Returns the readable name of a tag; unknown tags stay unchanged. */
export const getTagName = (tag: string): string =>
  getStandardNames([tag])[0] ??
  tag
    .replace(/^(?:cat\.[a-z-]+|best-practice)$/, (name) => name.replace(/^cat\./, '').replaceAll('-', ' '))
    .replace(/^EN-(?=\d)/, 'EN 301 549, ')
