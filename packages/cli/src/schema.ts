import { Count } from '@clearway/contract/kit/count.ts'
import { Fix, Target } from '@clearway/contract/monitor/issue/schema.ts'
import { SentRequests } from '@clearway/contract/monitor/page/request/schema.ts'
import { WallKind } from '@clearway/contract/monitor/page/evidence/schema.ts'
import { Health, PageNotice } from '@clearway/contract/monitor/page/schema.ts'
import { DrivenPage, FindingEngine } from '@clearway/contract/monitor/ruleset/drive/schema.ts'
import { Impact, RuleSet, Severity } from '@clearway/contract/monitor/ruleset/schema.ts'
import { ScoreSample } from '@clearway/contract/monitor/run/sample/schema.ts'
import * as z from 'zod/mini'

/** One entry per element that axe reports. Results that axe calls incomplete have the severity `needs review`. */
export const ReportIssue = z.strictObject({
  rule: z.string(),
  impact: z.nullable(Impact),
  severity: Severity,
  help: z.string(),
  helpUrl: z.string(),
  tags: z.array(z.string()),
  target: Target,
  html: z.string(),
  fix: Fix,
  /** `driven`: seen only while the page was driven. */
  engine: FindingEngine,
  /** States of the page in which it was seen: `390 px`, `dark`, `opened: Menu`; empty for the page as it arrived. */
  states: z.array(z.string()),
  /** Stays the same as long as the element stays where it is on its page, on any host. */
  fingerprint: z.string(),
})
export type ReportIssue = z.output<typeof ReportIssue>

export const ReportPage = z.strictObject({
  url: z.string(),
  title: z.nullable(z.string()),
  status: z.enum(['completed', 'failed', 'excluded']),
  failure: z.nullable(z.strictObject({ reason: z.string(), detail: z.string() })),
  health: z.nullable(Health),
  /** Limitations of a completed page's result. */
  notices: z.array(PageNotice),
  /** Details of the notices: the untested frames, one per line. */
  detail: z.nullable(z.string()),
  /** For a page whose content was not seen: the kind of wall that its words suggest. */
  likelyWall: z.nullable(WallKind),
  /** True if it was proved to be shown to the signed-in user; null without a sign-in. */
  isProved: z.nullable(z.boolean()),
  /** Requests that it sent; null if no browser opened it. */
  requests: z.nullable(SentRequests),
  /** How far it was driven; null if it was not. */
  driven: z.nullable(DrivenPage),
  /** Other addresses of the page: the same content and issues, and the same path or canonical URL. They count once. */
  aliases: z.array(z.string()),
  durationMs: Count,
  issues: z.array(ReportIssue),
})
export type ReportPage = z.output<typeof ReportPage>

/** Output of `--format json`. Contains all results without limits. */
export const Report = z.strictObject({
  clearway: z.string(),
  axe: z.string(),
  ruleSet: RuleSet,
  startedAt: z.iso.datetime(),
  durationMs: Count,
  score: z.nullable(z.number().check(z.minimum(0), z.maximum(1))),
  /** Margin of error of the score; null if the page limit left nothing out, or for too few random pages. */
  sample: z._default(z.nullable(ScoreSample), null),
  /**
   * `walled`: completed pages whose content was not seen; they have no health and are not part of the score. `proved` and
   * `unproved`: pages that were and were not proved to be shown to the signed-in user; 0 without a sign-in. `overLimit`:
   * known URLs that were not tested because the page limit was reached.
   */
  totals: z.strictObject({
    pages: Count,
    completed: Count,
    walled: Count,
    proved: Count,
    unproved: Count,
    failed: Count,
    excluded: Count,
    overLimit: Count,
    /** Pages that were driven by keyboard and mouse, and those of all driven pages on which not everything was tested. */
    driven: Count,
    drivenInPart: Count,
    issues: Count,
  }),
  /** URLs that the page limit left out, by their form, the most frequent first. */
  leftOut: z.array(z.strictObject({ pattern: z.string(), urls: Count, example: z.string() })),
  /** Requests that the pages sent. */
  requests: SentRequests,
  pages: z.array(ReportPage),
  /** URLs and files that were named on the command line and have no result. */
  unchecked: z.array(z.strictObject({ target: z.string(), reason: z.string(), detail: z.string() })),
})
export type Report = z.output<typeof Report>

/** JSON Schema of the report for consumers. */
export const buildReportSchema = () => ({ title: 'Report of clearway scan', ...z.toJSONSchema(Report) })
