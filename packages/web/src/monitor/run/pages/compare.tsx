import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { ImpactCounts } from '@clearway/contract/monitor/ruleset/schema.ts'
import type { ComparedIssueSide, ComparedSide, RunComparison } from '@clearway/contract/monitor/run/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type * as z from 'zod/mini'
import { DataTable, type Column } from '../../../kit/table/table.tsx'
import { FilterChips } from '../../../kit/page/chips.tsx'
import { computePointChange, splitPointChange, toScorePoints, useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { PageHead } from '../../../kit/page/head.tsx'
import { Segmented } from '../../../kit/form/segmented.tsx'
import { EmptyState, ErrorCard, Notice, Skeleton } from '../../../kit/page/states.tsx'
import { RuleTitle } from '../../ruleset/parts/rule-title.tsx'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import { scanQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { ComparedIssues, ComparedPages } from '../compare/lists.tsx'
import { RunPairChoice } from '../compare/run-choice.tsx'
import { compareQuery } from '../queries.ts'

const compareRoute = getRouteApi('/scans/$scanId/$run/compare/$other')
type Comparison = RunComparison
type ImpactKey = keyof z.output<typeof ImpactCounts>
const impactKeys = ['critical', 'serious', 'moderate', 'minor', 'needsReview'] as const satisfies ImpactKey[]

/** /scans/{scanId}/{run}/compare/{other}: differences between two runs. */
export function CompareRunsPage() {
  const { t } = useLingui()
  const { scanId, run: runNumber, other: otherNumber } = compareRoute.useParams()
  const { api: apiClient, config: appConfig } = useSession()
  const scanResult = useQuery(scanQuery(apiClient, scanId))
  const comparisonResult = useQuery(compareQuery(apiClient, { scanId, run: runNumber }, otherNumber))
  const scanName = scanResult.data?.name ?? ''
  return (
    <>
      <PageHead
        title={t`Compare runs ${runNumber} and ${otherNumber}`}
        productName={appConfig.productName}
        crumbs={[
          <Link key="scans" to="/scans">{t`Scans`}</Link>,
          <Link key="scan" to="/scans/$scanId" params={{ scanId }}>
            {scanName}
          </Link>,
        ]}
      />
      {scanResult.data && <RunPairChoice scan={scanResult.data} scanId={scanId} run={runNumber} other={otherNumber} />}
      {comparisonResult.isPending && <Skeleton label={t`Loading the comparison`} />}
      {runNumber === otherNumber && <Notice kind="info" title={t`These are the same run: choose another.`} />}
      {comparisonResult.isError && (
        <ErrorCard
          title={t`The runs could not be compared.`}
          error={comparisonResult.error}
          onRetry={() => void comparisonResult.refetch()}
        />
      )}
      {comparisonResult.data && runNumber !== otherNumber && (
        <ComparisonResult compared={comparisonResult.data} scanId={scanId} />
      )}
    </>
  )
}

function ComparisonResult({ compared: comparison, scanId }: { compared: Comparison; scanId: ScanId }) {
  const { t } = useLingui()
  const { formatNumber, formatSigned } = useFormats()
  const { onlyHere: addedByRules, onlyThere: removedByRules } = comparison.byRuleSet
  const { run: comparedRun, other: otherRun } = comparison
  const bothScores =
    comparedRun.score === null || otherRun.score === null ? null : { run: comparedRun.score, other: otherRun.score }
  const isLimited = comparedRun.pages.overLimit > 0 || otherRun.pages.overLimit > 0
  // Scores have four decimals; floating-point differences have more.
  const comparedScore = Number(((bothScores?.run ?? 0) - (comparison.score ?? 0)).toFixed(4))
  const scoreChange = formatSigned(bothScores ? computePointChange(bothScores.run, comparedScore) : 0)
  const decidedPoints =
    bothScores && comparison.score !== null
      ? splitPointChange(bothScores.run, { score: comparison.score, byDecisions: comparison.scoreByDecisions ?? 0 }).byDecisions
      : 0
  const issueCounts = countIssues(comparison)
  return (
    <div className={layout.stack}>
      {comparison.ruleSetChanged && (
        <Notice kind="caution" title={t`The two runs used different rules: some differences come from that, not from the site.`}>
          <p>{t`Only because the rules differ, ${formatNumber(addedByRules)} of the issues appeared and ${formatNumber(removedByRules)} disappeared.`}</p>
        </Notice>
      )}
      {isLimited && (
        <Notice kind="info" title={t`The page limit was reached: the scores are compared on the pages that both runs tested.`}>
          <p>
            {t`Known URLs not tested: ${formatNumber(comparedRun.pages.overLimit)} in run ${comparedRun.number}, ${formatNumber(otherRun.pages.overLimit)} in run ${otherRun.number}.`}
          </p>
        </Notice>
      )}
      <section className={`${layout.card} ${layout.pad}`} aria-labelledby="sums">
        <div className={layout.cardHead}>
          <h2 id="sums">{t`At a glance`}</h2>
        </div>
        <dl className={layout.facts}>
          <ComparisonFact
            name={t`Score`}
            value={
              bothScores === null
                ? t`Cannot be compared`
                : t`${toScorePoints(bothScores.run)} in run ${comparedRun.number}, ${toScorePoints(bothScores.other)} in run ${otherRun.number} (${scoreChange})`
            }
          />
          {decidedPoints !== 0 && (
            <ComparisonFact name={t`Part of it by decisions about issues`} value={formatSigned(decidedPoints)} />
          )}
          <ComparisonFact
            name={t`Open issues`}
            value={t`${formatNumber(issueCounts.both)} in both, ${formatNumber(issueCounts.onlyHere)} only in run ${comparedRun.number}, ${formatNumber(issueCounts.onlyThere)} only in run ${otherRun.number}`}
          />
          {issueCounts.ignored > 0 && (
            <ComparisonFact name={t`Ignored in one of the runs`} value={formatNumber(issueCounts.ignored)} />
          )}
          <NotRecheckedFact comparison={comparison} />
          <ComparisonFact
            name={t`Pages`}
            value={t`${formatNumber(comparison.pages.both)} in both, ${formatNumber(comparison.pages.onlyHere)} only in run ${comparedRun.number}, ${formatNumber(comparison.pages.onlyThere)} only in run ${otherRun.number}`}
          />
        </dl>
        <p
          className={layout.muted}
        >{t`Issues that were ignored or marked as fixed are not open, even if a run found them again.`}</p>
      </section>
      <section className={layout.card}>
        <SeverityTable compared={comparison} />
      </section>
      <ComparedRules key={`issues ${comparison.run.id} ${comparison.other.id}`} compared={comparison} scanId={scanId} />
      <ComparedPageList key={`pages ${comparison.run.id} ${comparison.other.id}`} compared={comparison} scanId={scanId} />
    </div>
  )
}

/** Issues of one run that the other one did not test again: their absence there is no improvement. */
function NotRecheckedFact({ comparison: { run, other, notRechecked } }: { comparison: Comparison }) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const describeMissing = (count: number, foundIn: number, missingIn: number) =>
    count > 0 ? [t`${formatNumber(count)} of run ${foundIn}, in run ${missingIn}`] : []
  const texts = [
    ...describeMissing(notRechecked.onlyThere, other.number, run.number),
    ...describeMissing(notRechecked.onlyHere, run.number, other.number),
  ]
  return texts.length > 0 && <ComparisonFact name={t`Not tested again`} value={texts.join(', ')} />
}

function ComparisonFact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

function SeverityTable({ compared: comparison }: { compared: Comparison }) {
  const { t } = useLingui()
  const severityColumns = useSeverityColumns(comparison)
  return <DataTable caption={t`Issues by impact`} columns={severityColumns} rows={[...impactKeys]} rowKey={(s) => s} />
}

function useSeverityColumns(comparison: Comparison): Column<ImpactKey>[] {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const sideNames = useSideNames(comparison)
  const createSideColumn = (side: ComparedSide): Column<ImpactKey> => ({
    key: side,
    heading: sideNames[side],
    isNumeric: true,
    renderCell: (severity) => formatNumber(comparison[side][severity]),
  })
  return [
    {
      key: 'severity',
      heading: t`Impact`,
      isRowHeading: true,
      renderCell: (severity) => <SignLabel sign={severity === 'needsReview' ? 'needs review' : severity} />,
    },
    createSideColumn('onlyHere'),
    createSideColumn('both'),
    createSideColumn('onlyThere'),
  ]
}

type ComparedRule = Comparison['rules'][number]
const comparedSides = ['onlyHere', 'onlyThere', 'both'] as const satisfies ComparedSide[]

/** Selects issues found only in one run, only in the other, or in both. Each button shows its count. */
function SideChoice<Side extends ComparedIssueSide>({
  comparison,
  label,
  sides,
  side,
  counts,
  onChange,
}: {
  comparison: Comparison
  label: string
  sides: readonly Side[]
  side: Side
  counts: Record<Side, number>
  onChange: (side: Side) => void
}) {
  const { formatNumber } = useFormats()
  const sideNames = useSideNames(comparison)
  return (
    <Segmented
      label={label}
      value={side}
      onChange={onChange}
      options={sides.map((value) => ({
        value,
        label: (
          <>
            {sideNames[value]} <span className={layout.num}>{formatNumber(counts[value])}</span>
          </>
        ),
      }))}
    />
  )
}

/** Labels with run numbers, so that users need not remember which run is the other one. */
function useSideNames({ run, other }: Comparison): Record<ComparedIssueSide, string> {
  const { t } = useLingui()
  const getOnlyInText = (number: number) => t`Only in run ${number}`
  return { onlyHere: getOnlyInText(run.number), onlyThere: getOnlyInText(other.number), both: t`In both`, ignored: t`Ignored` }
}

function countIssues({ rules }: Comparison): Record<ComparedIssueSide, number> {
  const sumSide = (side: ComparedIssueSide) => rules.reduce((sum, row) => sum + row[side], 0)
  return {
    onlyHere: sumSide('onlyHere'),
    onlyThere: sumSide('onlyThere'),
    both: sumSide('both'),
    ignored: sumSide('ignored'),
  }
}

const findFirstSide = (counts: Record<ComparedSide, number>): ComparedSide =>
  comparedSides.find((candidate) => counts[candidate] > 0) ?? 'onlyHere'

/** Rules and issues of one side: new, resolved or unchanged; most issues first. */
function ComparedRules({ compared: comparison, scanId }: { compared: Comparison; scanId: ScanId }) {
  const { t } = useLingui()
  const issueCounts = countIssues(comparison)
  const [selectedSide, setSelectedSide] = useState<ComparedIssueSide>(() => findFirstSide(issueCounts))
  const [selectedRule, setSelectedRule] = useState<string | null>(null)
  const headingRef = useRef<HTMLHeadingElement>(null)
  const sideNames = useSideNames(comparison)
  const ruleColumns = useRuleColumns(sideNames, (chosenRule) => {
    setSelectedRule(chosenRule)
    headingRef.current?.focus()
  })
  const ruleRows = comparison.rules.filter((row) => row[selectedSide] > 0).toSorted((a, b) => b[selectedSide] - a[selectedSide])
  const comparedRuns = { scanId, run: comparison.run.number, other: comparison.other.number }
  return (
    <>
      <section className={layout.card} aria-labelledby="by-rule">
        <div className={`${layout.pad} ${layout.tight}`}>
          <h2 id="by-rule">{t`Rules`}</h2>
          <div>
            <SideChoice
              comparison={comparison}
              label={t`Rules`}
              sides={[...comparedSides, 'ignored']}
              side={selectedSide}
              counts={issueCounts}
              onChange={(next) => {
                setSelectedSide(next)
                setSelectedRule(null)
              }}
            />
          </div>
        </div>
        {ruleRows.length === 0 ? (
          <EmptyState title={t`No rule here`}>
            <p>{t`Choose one of the other two views.`}</p>
          </EmptyState>
        ) : (
          <DataTable
            caption={`${t`Rules`}: ${sideNames[selectedSide]}`}
            columns={ruleColumns}
            rows={ruleRows}
            rowKey={(row) => row.rule}
            selectedKey={selectedRule ?? undefined}
          />
        )}
      </section>
      <section className={layout.card} aria-labelledby="compared-issues">
        <div className={`${layout.pad} ${layout.tight}`}>
          <h2 id="compared-issues" ref={headingRef} tabIndex={-1}>
            {t`Issues`}: {sideNames[selectedSide]}
          </h2>
          {selectedRule !== null && (
            <div className={layout.row}>
              <FilterChips
                chips={[{ key: selectedRule, label: t`Rule: ${selectedRule}`, onRemove: () => showAllRules() }]}
                onClear={() => showAllRules()}
              />
            </div>
          )}
        </div>
        <ComparedIssues
          key={`${selectedSide} ${selectedRule}`}
          comparedRuns={comparedRuns}
          side={selectedSide}
          rule={selectedRule}
        />
      </section>
    </>
  )
  function showAllRules(): void {
    setSelectedRule(null)
    headingRef.current?.focus()
  }
}

/** Pages tested in one run, in the other, or in both. */
function ComparedPageList({ compared: comparison, scanId }: { compared: Comparison; scanId: ScanId }) {
  const { t } = useLingui()
  const [selectedSide, setSelectedSide] = useState<ComparedSide>(() => findFirstSide(comparison.pages))
  const comparedRuns = { scanId, run: comparison.run.number, other: comparison.other.number }
  return (
    <section className={layout.card} aria-labelledby="compared-pages">
      <div className={`${layout.pad} ${layout.tight}`}>
        <h2 id="compared-pages">{t`Pages`}</h2>
        <div>
          <SideChoice
            comparison={comparison}
            label={t`Pages`}
            sides={comparedSides}
            side={selectedSide}
            counts={comparison.pages}
            onChange={setSelectedSide}
          />
        </div>
      </div>
      <ComparedPages key={selectedSide} comparedRuns={comparedRuns} side={selectedSide} />
    </section>
  )
}

function useRuleColumns(sideNames: Record<ComparedIssueSide, string>, onChoose: (rule: string) => void): Column<ComparedRule>[] {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const createSideColumn = (side: ComparedIssueSide): Column<ComparedRule> => ({
    key: side,
    heading: sideNames[side],
    isNumeric: true,
    renderCell: (row) => formatNumber(row[side]),
  })
  return [
    {
      key: 'rule',
      heading: t`Rule`,
      isRowHeading: true,
      renderCell: ({ rule, help }) => (
        <a
          href="#compared-issues"
          onClick={(event) => {
            event.preventDefault()
            onChoose(rule)
          }}
        >
          <RuleTitle rule={rule} help={help} />
        </a>
      ),
    },
    createSideColumn('onlyHere'),
    createSideColumn('both'),
    createSideColumn('onlyThere'),
    createSideColumn('ignored'),
  ]
}
