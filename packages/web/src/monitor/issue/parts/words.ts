import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { IssueChange, IssueStatus } from '@clearway/contract/monitor/issue/schema.ts'
import { criterionOf } from '@clearway/contract/monitor/ruleset/criterion/model.ts'
import type * as z from 'zod/mini'

export const statusWords: Record<IssueStatus, MessageDescriptor> = {
  none: msg`No status`,
  open: msg`Open`,
  fixed: msg`Fixed`,
  ignored: msg`Ignored`,
}

export const changeWords: Record<z.output<typeof IssueChange>, MessageDescriptor> = {
  new: msg`New in this run`,
  still: msg`Still there`,
  back: msg`Reappeared`,
  fixed: msg`Resolved`,
  'not-rechecked': msg`Not tested again`,
  'page-gone': msg`Page no longer found`,
}

/** The tags that mean a standard or its criterion, as people write them: wcag143 is WCAG 1.4.3. */
export function standardNames(tags: readonly string[]): string[] {
  const levels: Record<string, string> = {
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
    const criterion = criterionOf(tag)
    if (criterion) return [`WCAG ${criterion}`]
    return levels[tag] ?? []
  })
}

/** A tag as people read it; one that we do not know as it is. */
export const tagName = (tag: string): string =>
  standardNames([tag])[0] ??
  tag
    .replace(/^(?:cat\.[a-z-]+|best-practice)$/, (name) => name.replace(/^cat\./, '').replaceAll('-', ' '))
    .replace(/^EN-(?=\d)/, 'EN 301 549, ')
