import * as z from 'zod/mini'
import { Instant } from '../../../kit/time.ts'
import { FindingEngine } from '../../ruleset/drive/schema.ts'
import { Impact, Severity } from '../../ruleset/schema.ts'
import { Fix, IssueChange, IssueStatus, Target } from '../schema.ts'

/** JSON export of issues, in the order scan, run, severity. Within one `version`, fields may be added but never renamed. */
export const ExportedIssue = z.object({
  id: z.string(),
  scanId: z.string(),
  scanName: z.string(),
  runNumber: z.int(),
  pageId: z.string(),
  pageUrl: z.string(),
  pageTitle: z.nullable(z.string()),
  rule: z.string(),
  help: z.string(),
  helpUrl: z.string(),
  tags: z.array(z.string()),
  impact: z.nullable(Impact),
  severity: Severity,
  status: IssueStatus,
  change: IssueChange,
  engine: FindingEngine,
  states: z.array(z.string()),
  selector: z.string(),
  target: Target,
  html: z.string(),
  /** Identity of the element: its location, and hashes of its traits. */
  elementKey: z.string(),
  fix: Fix,
  labels: z.array(z.string()),
  assignedTo: z.nullable(z.string()),
  remediationComment: z.nullable(z.string()),
  component: z.nullable(z.string()),
  ticketUrl: z.nullable(z.string()),
  firstSeenAt: Instant,
  lastSeenAt: Instant,
  carriedFrom: z.nullable(z.int()),
})
export const IssueExport = z.object({
  format: z.literal('clearway-issues'),
  version: z.literal(1),
  exportedAt: Instant,
  issues: z.array(ExportedIssue),
})
