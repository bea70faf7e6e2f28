import { Link } from '@tanstack/react-router'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { RollupRule } from '@clearway/contract/monitor/scan/rollup/schema.ts'
import type * as z from 'zod/mini'
import { RuleTitle } from '../../ruleset/parts/rule-title.tsx'

type RuleLinkProps = Pick<z.output<typeof RollupRule>, 'rule' | 'help'> & {
  /** Scans of the issue list; null if there are too many for a link. */
  linkedScanIds: ScanId[] | null
}

/** The title of a rule, as a link to its issues where there can be one. */
export function RuleLink({ rule, help, linkedScanIds }: RuleLinkProps) {
  const ruleTitle = <RuleTitle rule={rule} help={help} />
  if (!linkedScanIds) return ruleTitle
  return (
    <Link to="/issues" search={{ scanId: linkedScanIds, rule: [rule] }}>
      {ruleTitle}
    </Link>
  )
}
