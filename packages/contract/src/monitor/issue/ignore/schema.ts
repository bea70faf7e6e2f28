import * as z from 'zod/mini'
import { Count } from '../../../kit/count.ts'
import { IssueId, ScanId } from '../../../kit/id.ts'
import { pagingQuery, queryInteger, queryList, sortQuery } from '../../../kit/paging.ts'
import { Instant } from '../../../kit/time.ts'
import { IgnoreReason, IgnoreScope, IgnoreUntil, IssuePerson } from '../schema.ts'

/** A decision to ignore issues that is in force. */
export const RegisteredIgnore = z.object({
  id: z.string(),
  scanId: ScanId,
  scanName: z.string(),
  scope: IgnoreScope,
  /** The rule of the scope; for single issues, their rules, at most ten. */
  rules: z.array(z.string()),
  /** The page of a single issue, or of a rule on a page; null for several pages, and if the page is gone. */
  pageUrl: z.nullable(z.string()),
  /** Ignored issues. A rule or an element may have none for now. */
  issues: Count,
  /** The part of them that the newest run found: the others count nowhere. */
  presentIssues: Count,
  /** The issue, if it is only one. */
  issueId: z.nullable(IssueId),
  reason: z.string(),
  author: IssuePerson,
  createdAt: Instant,
  /** Its issues are open again from this time on; null for no end. */
  until: z.nullable(Instant),
})
export type RegisteredIgnore = z.output<typeof RegisteredIgnore>

/** Maximum number of days to look ahead for decisions that end. */
export const maxExpiryDays = 3650

const registerFilters = {
  scanId: queryList(ScanId),
  rule: queryList(z.string().check(z.minLength(1), z.maxLength(200))),
  author: queryList(z.string().check(z.minLength(1), z.maxLength(500))),
  expiresInDays: z.optional(queryInteger(0, maxExpiryDays)),
}
export const IgnoreFilter = z.object(registerFilters)
export type IgnoreFilter = z.output<typeof IgnoreFilter>
export const IgnoreQuery = z.object({
  ...pagingQuery,
  ...registerFilters,
  sort: sortQuery(['createdAt', 'until', 'scan', 'issues']),
})
export type IgnoreQuery = z.output<typeof IgnoreQuery>

/** Values to filter the register by, each at most 500. */
export const IgnoreChoices = z.object({
  scans: z.array(z.object({ id: ScanId, name: z.string() })),
  rules: z.array(z.string()),
  people: z.array(IssuePerson),
})

/** Fields to change; omitted ones stay unchanged. */
export const IgnorePatch = z
  .strictObject({ until: z.optional(IgnoreUntil), reason: z.optional(IgnoreReason) })
  .check(z.refine((fields) => Object.keys(fields).length > 0))
export type IgnorePatch = z.output<typeof IgnorePatch>
