import { healthScore, scoreOf } from '@clearway/contract/monitor/page/model.ts'
import type { Health } from '@clearway/contract/monitor/page/schema.ts'
import type { RuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import type { PageOutcome } from '@clearway/engine/outcome.ts'
import type { Report, ReportPage } from './schema.ts'

/** One page of the report from what the engine found. */
export function reportPage(url: string, outcome: PageOutcome): ReportPage {
  const base = { url: ('finalUrl' in outcome && outcome.finalUrl) || url, durationMs: outcome.durationMs }
  switch (outcome.kind) {
    case 'completed':
      return {
        ...base,
        title: outcome.title,
        status: 'completed',
        failure: null,
        health: outcome.health,
        notices: [...new Set(outcome.notices)],
        detail: outcome.detail ?? null,
        issues: outcome.findings.map(
          ({ rule, impact, severity, help, helpUrl, tags, target, html, fix }) => ({
            rule,
            impact,
            severity,
            help,
            helpUrl,
            tags,
            target,
            html,
            fix,
          }),
        ),
      }
    case 'failed':
    case 'excluded':
      return {
        ...base,
        url,
        title: null,
        status: outcome.kind,
        failure: { reason: outcome.reason, detail: outcome.detail },
        health: null,
        notices: [],
        detail: null,
        issues: [],
      }
    default:
      return outcome satisfies never
  }
}

/** Sums up the pages, in the order of their URLs, so that two reports can be compared line by line. */
export function buildReport(
  facts: { clearway: string; axe: string; ruleSet: RuleSet; startedAt: Date; durationMs: number },
  pages: readonly ReportPage[],
): Report {
  const byHealth = Object.fromEntries(
    (Object.keys(healthScore) as Health[]).map((h) => [h, pages.filter((p) => p.health === h).length]),
  ) as Record<Health, number>
  const count = (status: ReportPage['status']) => pages.filter((p) => p.status === status).length
  return {
    clearway: facts.clearway,
    axe: facts.axe,
    ruleSet: facts.ruleSet,
    startedAt: facts.startedAt.toISOString(),
    durationMs: facts.durationMs,
    score: scoreOf(byHealth),
    totals: {
      pages: pages.length,
      completed: count('completed'),
      failed: count('failed'),
      excluded: count('excluded'),
      issues: pages.reduce((n, p) => n + p.issues.length, 0),
    },
    pages: [...pages].sort((a, b) => (a.url < b.url ? -1 : a.url > b.url ? 1 : 0)),
  }
}
