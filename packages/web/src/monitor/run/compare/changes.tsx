import { Plural, useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { RunComparison } from '@clearway/contract/monitor/run/schema.ts'
import { useRef, useState } from 'react'
import { type IconName, Icon } from '../../../kit/control/icon.tsx'
import { Segmented } from '../../../kit/form/segmented.tsx'
import { FilterChips } from '../../../kit/page/chips.tsx'
import layout from '../../../kit/page/layout.module.css'
import { type Column, DataTable } from '../../../kit/table/table.tsx'
import { Count } from '../../../kit/text/count.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { RuleTitle } from '../../ruleset/parts/rule-title.tsx'
import { ComparedIssues } from './lists.tsx'
import { type ComparedChange, countChanges, countOfImpact, countOfRule, listShownChanges, toListQuery } from './model.ts'

export function useChangeNames(): Record<ComparedChange, string> {
  const { t } = useLingui()
  return {
    new: t`New or reappeared`,
    fixed: t`Fixed`,
    notTestedBefore: t`Not tested in the older run`,
    notRechecked: t`Not tested again`,
    ignored: t`Ignored`,
    unchanged: t`Unchanged`,
  }
}

/** Sentences about the changes, from the older run to the newer one. */
function useChangeTexts({ run, other }: RunComparison): Record<ComparedChange, string> {
  const { t } = useLingui()
  const [older, newer] = [run.number, other.number].toSorted((a, b) => a - b) as [number, number]
  return {
    new: t`Open in run ${newer}, and not found in run ${older}.`,
    notTestedBefore: t`Open in run ${newer}, and known before run ${older}, which did not test them: not new.`,
    fixed: t`Open in run ${older}, and not found again in run ${newer}, or their pages are gone.`,
    notRechecked: t`Open in run ${older}, and not tested again in run ${newer}: this is no improvement.`,
    ignored: t`Found in both runs, and ignored or marked as fixed in one of them: this is no improvement.`,
    unchanged: t`Open in both runs.`,
  }
}

const changeLooks: Record<ComparedChange, { icon: IconName; tone: 'good' | 'bad' | 'muted' }> = {
  new: { icon: 'plus', tone: 'bad' },
  fixed: { icon: 'check', tone: 'good' },
  notTestedBefore: { icon: 'help', tone: 'muted' },
  notRechecked: { icon: 'help', tone: 'muted' },
  ignored: { icon: 'close', tone: 'muted' },
  unchanged: { icon: 'dash', tone: 'muted' },
}

type ChangedIssuesProps = {
  comparison: RunComparison
  scanId: ScanId
  change: ComparedChange
  onChange: (change: ComparedChange) => void
}

export function ChangedIssues({ comparison, scanId, change, onChange }: ChangedIssuesProps) {
  const { t } = useLingui()
  const [chosenRule, setChosenRule] = useState<{ rule: string; change: ComparedChange } | null>(null)
  // Another change, also one chosen in the table of impacts, shows all its rules.
  const rule = chosenRule?.change === change ? chosenRule.rule : null
  const headingRef = useRef<HTMLHeadingElement>(null)
  const changeTexts = useChangeTexts(comparison)
  const showRule = (ruleToShow: string | null) => {
    setChosenRule(ruleToShow === null ? null : { rule: ruleToShow, change })
    headingRef.current?.focus()
  }
  const showAllRules = () => showRule(null)
  return (
    <>
      <section className={layout.card} aria-labelledby="compared-issues">
        <div className={`${layout.pad} ${layout.tight}`}>
          <h2 id="compared-issues" ref={headingRef} tabIndex={-1}>
            {t`Issues`}
          </h2>
          <div>
            <ChangeChoice comparison={comparison} change={change} onChange={onChange} />
          </div>
          <p className={`${layout.muted} ${layout.sm}`}>{changeTexts[change]}</p>
          {rule !== null && (
            <div className={layout.row}>
              <FilterChips chips={[{ key: rule, label: t`Rule: ${rule}`, onRemove: showAllRules }]} onClear={showAllRules} />
            </div>
          )}
        </div>
        <ComparedIssues
          key={`${change} ${rule}`}
          comparedRuns={{ scanId, run: comparison.run.number, other: comparison.other.number }}
          {...toListQuery(comparison, change)}
          rule={rule}
        />
      </section>
      <ChangedRules comparison={comparison} change={change} selectedRule={rule} onChoose={showRule} />
    </>
  )
}

/** Choice of a change. Color, sign and word tell whether it is good. */
function ChangeChoice(props: { comparison: RunComparison; change: ComparedChange; onChange: (change: ComparedChange) => void }) {
  const { t } = useLingui()
  const issueCounts = countChanges(props.comparison)
  const reviewCounts = countOfImpact(props.comparison, 'needsReview')
  return (
    <Segmented
      isStackedOnPhones
      label={t`Issues`}
      value={props.change}
      onChange={props.onChange}
      options={listShownChanges(issueCounts).map((change) => ({
        value: change,
        label: <ChangeLabel change={change} count={issueCounts[change]} needsReview={reviewCounts[change]} />,
      }))}
    />
  )
}

/** Name and number of a change. Results to review are no issues, and count apart. */
function ChangeLabel({ change, count, needsReview }: { change: ComparedChange; count: number; needsReview: number }) {
  const { formatNumber } = useFormats()
  const changeNames = useChangeNames()
  const { icon, tone } = changeLooks[change]
  return (
    <>
      <span className={`${layout.line} ${layout[count > 0 ? tone : 'muted']}`}>
        <Icon name={icon} /> {changeNames[change]}
      </span>{' '}
      <span className={layout.num}>
        {formatNumber(count - needsReview)}
        {needsReview > 0 && (
          <span className={layout.muted}>
            {' · '}
            <Plural value={needsReview} one="# to review" other="# to review" />
          </span>
        )}
      </span>
    </>
  )
}

type ChangedRulesProps = {
  comparison: RunComparison
  change: ComparedChange
  selectedRule: string | null
  onChoose: (rule: string) => void
}
type ComparedRule = RunComparison['rules'][number]

/** Rules of a change, most issues first, with the numbers of all changes. */
function ChangedRules({ comparison, change, selectedRule, onChoose }: ChangedRulesProps) {
  const { t } = useLingui()
  const changeNames = useChangeNames()
  const getCount = (row: ComparedRule, counted: ComparedChange = change) => countOfRule(comparison, row)[counted]
  const ruleRows = comparison.rules.filter((row) => getCount(row) > 0).toSorted((a, b) => getCount(b) - getCount(a))
  // A single rule would repeat the list of its issues.
  if (ruleRows.length < 2) return null
  const ruleColumns: Column<ComparedRule>[] = [
    {
      key: 'rule',
      heading: t`Rule`,
      isRowHeading: true,
      renderCell: ({ rule, help, needsReview, onlyHere, both, onlyThere, ignored }) => (
        <a
          href="#compared-issues"
          onClick={(event) => {
            event.preventDefault()
            onChoose(rule)
          }}
        >
          <RuleTitle rule={rule} help={help} isUndecided={needsReview === onlyHere + both + onlyThere + ignored} />
        </a>
      ),
    },
    ...listShownChanges(countChanges(comparison)).map((counted): Column<ComparedRule> => ({
      key: counted,
      heading: changeNames[counted],
      isNumeric: true,
      renderCell: (row) => <Count value={getCount(row, counted)} />,
    })),
  ]
  return (
    <section className={layout.card} aria-labelledby="by-rule">
      <div className={layout.pad}>
        <h2 id="by-rule">
          {t`Rules`}: {changeNames[change]}
        </h2>
      </div>
      <DataTable
        caption={`${t`Rules`}: ${changeNames[change]}`}
        columns={ruleColumns}
        rows={ruleRows}
        rowKey={({ rule }) => rule}
        selectedKey={selectedRule ?? undefined}
      />
    </section>
  )
}
