import { Plural, useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import { useQuery } from '@tanstack/react-query'
import layout from '../../../kit/page/layout.module.css'
import { useSession } from '../../user/model.ts'
import type { RollupScope } from './model.ts'
import { rollupRulesQuery } from './queries.ts'
import { RuleLink } from './rule-link.tsx'
import styles from './rollup.module.css'

/** Number of rules that the first card names. */
const startRuleCount = 3

type RollupStartProps = {
  search: RollupScope
  /** The same scans for the issue list; null if there are too many for a link. */
  linkedScanIds: ScanId[] | null
}

/** The rules with the most issues: the fixes with the largest effect. */
export function RollupStart({ search, linkedScanIds }: RollupStartProps) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const topRules = useQuery(rollupRulesQuery(apiClient, search)).data?.content.slice(0, startRuleCount) ?? []
  if (topRules.length === 0) return null
  return (
    <>
      <h3 className={styles.startTitle}>{t`Where to start`}</h3>
      <ol className={styles.start}>
        {topRules.map((topRule) => (
          <li key={topRule.rule}>
            <RuleLink rule={topRule.rule} help={topRule.help} linkedScanIds={linkedScanIds} />
            <span className={`${layout.muted} ${layout.sm} ${layout.nowrap}`}>
              <Plural value={topRule.issues} one="# issue" other="# issues" /> ·{' '}
              <Plural value={topRule.scans} one="# scan" other="# scans" />
            </span>
          </li>
        ))}
      </ol>
    </>
  )
}
