import type { ImpactCounts } from '@clearway/contract/monitor/ruleset/schema.ts'
import type { ComparedIssueSide, RunComparison } from '@clearway/contract/monitor/run/schema.ts'
import type * as z from 'zod/mini'
import { splitPointChange } from '../../../kit/text/format.ts'

/** Kinds of differences between two runs, seen from the newer one. */
export const comparedChanges = ['new', 'fixed', 'notTestedBefore', 'notRechecked', 'ignored', 'unchanged'] as const
export type ComparedChange = (typeof comparedChanges)[number]
type OneSide = 'onlyHere' | 'onlyThere'
type Impact = keyof z.output<typeof ImpactCounts>

/** Sides of the newer and the older run, whichever of them the comparison names first. */
const getSides = ({ run, other }: RunComparison): { newer: OneSide; older: OneSide } =>
  run.number >= other.number ? { newer: 'onlyHere', older: 'onlyThere' } : { newer: 'onlyThere', older: 'onlyHere' }

/** Returns the issues of a change, as the API lists them. An issue that one of the runs did not test is neither new nor fixed. */
export function toListQuery(
  comparison: RunComparison,
  change: ComparedChange,
): { side: ComparedIssueSide; notRechecked: boolean | undefined } {
  const { newer, older } = getSides(comparison)
  const queries = {
    new: { side: newer, notRechecked: false },
    fixed: { side: older, notRechecked: false },
    notTestedBefore: { side: newer, notRechecked: true },
    notRechecked: { side: older, notRechecked: true },
    ignored: { side: 'ignored', notRechecked: undefined },
    unchanged: { side: 'both', notRechecked: undefined },
  } as const
  return queries[change]
}

type ChangeCounts = Record<ComparedChange, number>
type ComparedRule = RunComparison['rules'][number]

export function countOfRule(comparison: RunComparison, rule: ComparedRule): ChangeCounts {
  const { newer, older } = getSides(comparison)
  return {
    new: rule[newer] - rule.notRechecked[newer],
    fixed: rule[older] - rule.notRechecked[older],
    notTestedBefore: rule.notRechecked[newer],
    notRechecked: rule.notRechecked[older],
    ignored: rule.ignored,
    unchanged: rule.both,
  }
}

export function countOfImpact(comparison: RunComparison, impact: Impact): ChangeCounts {
  const { newer, older } = getSides(comparison)
  const notTestedBefore = comparison.notRecheckedByImpact[newer][impact]
  const notRechecked = comparison.notRecheckedByImpact[older][impact]
  return {
    new: comparison[newer][impact] - notTestedBefore,
    fixed: comparison[older][impact] - notRechecked,
    notTestedBefore,
    notRechecked,
    ignored: comparison.ignored.onlyHere[impact] + comparison.ignored.onlyThere[impact],
    unchanged: comparison.both[impact],
  }
}

export function countChanges(comparison: RunComparison): ChangeCounts {
  const ruleCounts = comparison.rules.map((rule) => countOfRule(comparison, rule))
  const sumChange = (change: ComparedChange) => ruleCounts.reduce((sum, counts) => sum + counts[change], 0)
  return Object.fromEntries(comparedChanges.map((change) => [change, sumChange(change)])) as ChangeCounts
}

/** Returns the change to show first: the first one that occurs. */
export function findFirstChange(comparison: RunComparison): ComparedChange {
  const counts = countChanges(comparison)
  return comparedChanges.find((change) => counts[change] > 0) ?? 'new'
}

const rareChanges: readonly ComparedChange[] = ['notTestedBefore', 'notRechecked']
/** Changes to show: those of every comparison, and others if they occur. */
export const listShownChanges = (counts: ChangeCounts): ComparedChange[] =>
  comparedChanges.filter((change) => !rareChanges.includes(change) || counts[change] > 0)

/** The displayed difference of the scores in two parts, from the second run to the first; null without both scores. */
export const splitComparedScore = ({ run, score, scoreByDecisions }: RunComparison) =>
  run.score === null || score === null ? null : splitPointChange(run.score, { score, byDecisions: scoreByDecisions ?? 0 })
