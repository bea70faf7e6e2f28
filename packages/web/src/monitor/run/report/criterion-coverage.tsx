import { useLingui } from '@lingui/react/macro'
import type { DrivenCounts } from '@clearway/contract/monitor/ruleset/drive/schema.ts'
import { standards } from '@clearway/contract/monitor/ruleset/schema.ts'
import layout from '../../../kit/page/layout.module.css'
import type { RunOverviewData } from '../queries.ts'
import { listCoverage } from './model.ts'
import styles from './report.module.css'
import { CriterionLink } from './sections.tsx'

/** Success criteria of the standard by the tests that cover parts of them, and those that only people test. */
export function CriterionCoverage({ run, driven }: { run: RunOverviewData; driven: DrivenCounts }) {
  const { t } = useLingui()
  const { rules, driven: drivenCriteria, people } = listCoverage(run.ruleSet.standard, driven)
  if (people.length === 0) return null
  const standardName = standards[run.ruleSet.standard].name
  return (
    <section className={`${layout.card} ${layout.pad} ${layout.tight} ${styles.part}`} aria-labelledby="criterion-coverage">
      <h2 id="criterion-coverage">{t`What the tests cover`}</h2>
      <p className={layout.muted}>
        {t`Success criteria of ${standardName}. Tests cover parts of a criterion; people have to judge the rest.`}
      </p>
      <CriterionList heading={t`Tested by rules`} criteria={rules} />
      <CriterionList heading={t`Tested by keyboard, mouse and narrow windows`} criteria={drivenCriteria} />
      <CriterionList heading={t`Only people can test these`} criteria={people} />
    </section>
  )
}

function CriterionList({ heading, criteria }: { heading: string; criteria: readonly string[] }) {
  if (criteria.length === 0) return null
  return (
    <details className={styles.folded}>
      <summary>
        <h3>{`${heading} (${criteria.length})`}</h3>
      </summary>
      <ul className={styles.criteria}>
        {criteria.map((criterion) => (
          <li key={criterion}>
            <CriterionLink criterion={criterion} />
          </li>
        ))}
      </ul>
    </details>
  )
}
