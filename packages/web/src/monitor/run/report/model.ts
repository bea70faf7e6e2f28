import { computeCoverage, parseCriterion, type CriterionCoverage } from '@clearway/contract/monitor/ruleset/criterion/model.ts'
import { listDrivenCriteria } from '@clearway/contract/monitor/ruleset/drive/model.ts'
import { DriveLevel, type DrivenCounts } from '@clearway/contract/monitor/ruleset/drive/schema.ts'
import type { StandardId } from '@clearway/contract/monitor/ruleset/schema.ts'
import type { ViolationRow } from '@clearway/contract/monitor/run/schema.ts'

/** A success criterion with the failing rules that belong to it. Null: rules that belong to none, such as best practices. */
export type ReportedCriterion = { criterion: string | null; rules: string[]; issues: number; needsReview: number }

const compareCriteria = (a: string | null, b: string | null): number => {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  const [partsA, partsB] = [a.split('.').map(Number), b.split('.').map(Number)]
  return partsA.map((part, index) => part - (partsB[index] ?? 0)).find((difference) => difference !== 0) ?? 0
}

/** Sums up rules by success criterion, in the order of WCAG. A rule that belongs to several counts for each. */
export function groupByCriterion(rows: readonly ViolationRow[]): ReportedCriterion[] {
  const byCriterion = new Map<string | null, ReportedCriterion>()
  for (const { rule, tags, issues, needsReview } of rows) {
    const criteria = tags.flatMap((tag) => parseCriterion(tag) ?? [])
    for (const criterion of criteria.length > 0 ? criteria : [null]) {
      const current = byCriterion.get(criterion) ?? { criterion, rules: [], issues: 0, needsReview: 0 }
      byCriterion.set(criterion, {
        criterion,
        rules: [...current.rules, rule],
        issues: current.issues + issues,
        needsReview: current.needsReview + needsReview,
      })
    }
  }
  return [...byCriterion.values()].toSorted((a, b) => compareCriteria(a.criterion, b.criterion))
}

/** Returns the criteria of a run by their tests. Driven rules count up to the furthest level that a page reached. */
export function listCoverage(standard: StandardId, driven: DrivenCounts): CriterionCoverage {
  const furthestLevel = DriveLevel.options.toReversed().find((level) => driven[level] > 0)
  return computeCoverage(standard, new Set(furthestLevel ? listDrivenCriteria(standard, furthestLevel) : []))
}
