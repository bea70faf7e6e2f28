import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { ComparedSide, RunComparison } from '@clearway/contract/monitor/run/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { toScorePoints } from '@clearway/contract/kit/score.ts'
import { DataTable, type Column } from '../../../kit/table/table.tsx'
import { Count } from '../../../kit/text/count.tsx'
import { splitPointChange, useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { PageHead } from '../../../kit/page/head.tsx'
import { Segmented } from '../../../kit/form/segmented.tsx'
import { ErrorCard, Notice, Skeleton } from '../../../kit/page/states.tsx'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import { scanQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { ChangedIssues, useChangeNames } from '../compare/changes.tsx'
import { ComparedPages } from '../compare/lists.tsx'
import { type ComparedChange, comparedChanges, countChanges, countOfImpact, listShownChanges } from '../compare/model.ts'
import { RunPairChoice } from '../compare/run-choice.tsx'
import { compareQuery } from '../queries.ts'
import styles from './compare.module.css'

const compareRoute = getRouteApi('/scans/$scanId/$run/compare/$other')
type Comparison = RunComparison
const impactKeys = ['critical', 'serious', 'moderate', 'minor', 'needsReview'] as const
type ImpactKey = (typeof impactKeys)[number]

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
      <RunPairChoice scanId={scanId} run={runNumber} other={otherNumber} compared={comparisonResult.data} />
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
  const { bySite: sitePoints, byDecisions: decidedPoints } =
    bothScores && comparison.score !== null
      ? splitPointChange(bothScores.run, { score: comparison.score, byDecisions: comparison.scoreByDecisions ?? 0 })
      : { bySite: 0, byDecisions: 0 }
  const scoreChange = formatSigned(sitePoints + decidedPoints)
  const pairKey = `${comparison.run.id} ${comparison.other.id}`
  const issueCounts = countChanges(comparison)
  const unchangedIssues = issueCounts.unchanged - countOfImpact(comparison, 'needsReview').unchanged
  const hasChanges = comparedChanges.some((change) => change !== 'unchanged' && issueCounts[change] > 0)
  const issueLists = (
    <>
      <ChangedIssues key={`issues ${pairKey}`} comparison={comparison} scanId={scanId} />
      <section className={layout.card} aria-labelledby="by-impact">
        <div className={layout.pad}>
          <h2 id="by-impact">{t`Issues by impact`}</h2>
        </div>
        <SeverityTable compared={comparison} />
      </section>
    </>
  )
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
        {!hasChanges && <p className={styles.verdict}>{t`No issue is new, fixed or ignored.`}</p>}
        <dl className={layout.facts}>
          <ComparisonFact
            name={t`Score`}
            value={
              bothScores === null
                ? t`Cannot be compared`
                : t`${toScorePoints(bothScores.other)} in run ${otherRun.number}, ${toScorePoints(bothScores.run)} in run ${comparedRun.number} (${scoreChange})`
            }
          />
          {decidedPoints !== 0 && (
            <>
              <ComparisonFact name={t`Due to changes on the site`} value={formatSigned(sitePoints)} />
              <ComparisonFact name={t`Due to decisions about issues`} value={formatSigned(decidedPoints)} />
            </>
          )}
          <ComparisonFact
            name={t`Pages`}
            value={t`${formatNumber(comparison.pages.both)} in both, ${formatNumber(comparison.pages.onlyHere)} only in run ${comparedRun.number}, ${formatNumber(comparison.pages.onlyThere)} only in run ${otherRun.number}`}
          />
        </dl>
        <p
          className={`${layout.muted} ${layout.sm} ${styles.remark}`}
        >{t`Issues that were ignored or marked as fixed are not open, even if a run found them again.`}</p>
      </section>
      {hasChanges ? (
        issueLists
      ) : (
        <details className={styles.unchanged}>
          <summary>{t`Issues open in both runs: ${formatNumber(unchangedIssues)}`}</summary>
          <div className={layout.stack}>{issueLists}</div>
        </details>
      )}
      <ComparedPageList key={`pages ${pairKey}`} compared={comparison} scanId={scanId} />
    </div>
  )
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
  const changeNames = useChangeNames()
  const createChangeColumn = (change: ComparedChange): Column<ImpactKey> => ({
    key: change,
    heading: changeNames[change],
    isNumeric: true,
    renderCell: (impact) => <Count value={countOfImpact(comparison, impact)[change]} />,
  })
  return [
    {
      key: 'severity',
      heading: t`Impact`,
      isRowHeading: true,
      renderCell: (severity) => <SignLabel sign={severity === 'needsReview' ? 'needs review' : severity} />,
    },
    ...listShownChanges(countChanges(comparison)).map(createChangeColumn),
  ]
}

const comparedSides = ['onlyHere', 'onlyThere', 'both'] as const satisfies ComparedSide[]
/** Pages that only one run tested. Those of both runs, mostly all, are listed on request. */
const findChangedSide = (counts: Record<ComparedSide, number>): ComparedSide | null =>
  (['onlyHere', 'onlyThere'] as const).find((candidate) => counts[candidate] > 0) ?? null

/** Pages tested in one run, in the other, or in both. */
function ComparedPageList({ compared: comparison, scanId }: { compared: Comparison; scanId: ScanId }) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const [selectedSide, setSelectedSide] = useState(() => findChangedSide(comparison.pages))
  const getOnlyInText = (number: number) => t`Only in run ${number}`
  const sideNames = {
    onlyHere: getOnlyInText(comparison.run.number),
    onlyThere: getOnlyInText(comparison.other.number),
    both: t`In both`,
  }
  const comparedRuns = { scanId, run: comparison.run.number, other: comparison.other.number }
  return (
    <section className={layout.card} aria-labelledby="compared-pages">
      <div className={`${layout.pad} ${layout.tight}`}>
        <h2 id="compared-pages">{t`Pages`}</h2>
        <div>
          <Segmented
            label={t`Pages`}
            value={selectedSide}
            onChange={setSelectedSide}
            options={comparedSides.map((side) => ({
              value: side,
              label: (
                <>
                  {sideNames[side]} <span className={layout.num}>{formatNumber(comparison.pages[side])}</span>
                </>
              ),
            }))}
          />
        </div>
      </div>
      {selectedSide && <ComparedPages key={selectedSide} comparedRuns={comparedRuns} side={selectedSide} />}
    </section>
  )
}
