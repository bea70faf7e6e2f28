import { plural } from '@lingui/core/macro'
import { Plural, useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { ComparedSide, RunComparison } from '@clearway/contract/monitor/run/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { toScorePoints } from '@clearway/contract/kit/score.ts'
import { DataTable, type Column } from '../../../kit/table/table.tsx'
import { Count } from '../../../kit/text/count.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { PageHead } from '../../../kit/page/head.tsx'
import { Segmented } from '../../../kit/form/segmented.tsx'
import { ErrorCard, Notice, Skeleton } from '../../../kit/page/states.tsx'
import { SignLabel, getSignLabel } from '../../ruleset/parts/severity.tsx'
import { scanQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { ChangedIssues, useChangeNames } from '../compare/changes.tsx'
import { ComparedPages } from '../compare/lists.tsx'
import {
  type ComparedChange,
  comparedChanges,
  countChanges,
  countOfImpact,
  findFirstChange,
  listShownChanges,
  splitComparedScore,
} from '../compare/model.ts'
import { RunPairChoice } from '../compare/run-choice.tsx'
import { ScoreParts } from '../parts/score-parts.tsx'
import { compareQuery } from '../queries.ts'
import styles from './compare.module.css'

const compareRoute = getRouteApi('/scans/$scanId/$run/compare/$other')
type Comparison = RunComparison
const impactKeys = ['critical', 'serious', 'moderate', 'minor', 'needsReview'] as const
type ImpactKey = (typeof impactKeys)[number]
const toSeverity = (impact: ImpactKey) => (impact === 'needsReview' ? 'needs review' : impact)

/** /scans/{scanId}/{run}/compare/{other}: differences between two runs. */
export function CompareRunsPage() {
  const { t } = useLingui()
  const { scanId, run: runNumber, other: otherNumber } = compareRoute.useParams()
  const { api: apiClient, config: appConfig } = useSession()
  const scanResult = useQuery(scanQuery(apiClient, scanId))
  // From the older run to the newer one, in whichever order the URL names them.
  const [olderNumber, newerNumber] = [Math.min(runNumber, otherNumber), Math.max(runNumber, otherNumber)]
  const comparisonResult = useQuery(compareQuery(apiClient, { scanId, run: newerNumber }, olderNumber))
  const scanName = scanResult.data?.name ?? ''
  return (
    <>
      <PageHead
        title={t`Compare runs ${olderNumber} and ${newerNumber}`}
        productName={appConfig.productName}
        crumbs={[
          <Link key="scans" to="/scans">{t`Scans`}</Link>,
          <Link key="scan" to="/scans/$scanId" params={{ scanId }}>
            {scanName}
          </Link>,
        ]}
      />
      <RunPairChoice scanId={scanId} older={olderNumber} newer={newerNumber} compared={comparisonResult.data} />
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
        <ComparisonResult
          key={`${comparisonResult.data.run.id} ${comparisonResult.data.other.id}`}
          compared={comparisonResult.data}
          scanId={scanId}
        />
      )}
    </>
  )
}

function ComparisonResult({ compared: comparison, scanId }: { compared: Comparison; scanId: ScanId }) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const { onlyHere: addedByRules, onlyThere: removedByRules } = comparison.byRuleSet
  const { run: comparedRun, other: otherRun } = comparison
  const isLimited = comparedRun.pages.overLimit > 0 || otherRun.pages.overLimit > 0
  const issueCounts = countChanges(comparison)
  const { unchanged: unchangedReviews } = countOfImpact(comparison, 'needsReview')
  const unchangedIssues = issueCounts.unchanged - unchangedReviews
  const hasChanges = comparedChanges.some((change) => change !== 'unchanged' && issueCounts[change] > 0)
  const [change, setChange] = useState(() => findFirstChange(comparison))
  const issueLists = <ChangedIssues comparison={comparison} scanId={scanId} change={change} onChange={setChange} />
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
      <section className={`${layout.card} ${styles.glance}`} aria-labelledby="sums">
        <ComparedScores comparison={comparison} hasChanges={hasChanges} />
        <SeverityTable compared={comparison} onChoose={hasChanges ? setChange : null} />
      </section>
      {hasChanges ? (
        issueLists
      ) : (
        <details className={styles.unchanged}>
          <summary>
            {t`Issues open in both runs: ${formatNumber(unchangedIssues)}`}
            {unchangedReviews > 0 && (
              <>
                {' · '}
                <Plural value={unchangedReviews} one="# to review" other="# to review" />
              </>
            )}
          </summary>
          <div className={layout.stack}>{issueLists}</div>
        </details>
      )}
      <ComparedPageList compared={comparison} scanId={scanId} />
    </div>
  )
}

/** The answer: both scores, what became of the issues, and the pages, from the older run to the newer one. */
function ComparedScores({ comparison, hasChanges }: { comparison: Comparison; hasChanges: boolean }) {
  const { t } = useLingui()
  const { formatNumber, formatSigned } = useFormats()
  const { run: comparedRun, other: otherRun, pages } = comparison
  const { ignored: ignoredCount } = countChanges(comparison)
  const scoreParts = splitComparedScore(comparison)
  const difference = scoreParts ? scoreParts.bySite + scoreParts.byDecisions : 0
  const signedDifference = formatSigned(difference)
  const { number: previousRunNumber } = otherRun
  const [previousPoints, points] = [toScorePoints(otherRun.score ?? 0), toScorePoints(comparedRun.score ?? 0)]
  return (
    <div className={styles.answer}>
      <h2 id="sums">{t`At a glance`}</h2>
      {comparedRun.score === null || otherRun.score === null ? (
        <p className={layout.muted}>{t`The scores cannot be compared.`}</p>
      ) : (
        <p className={styles.scores}>
          <b>
            {points !== previousPoints && (
              <>
                {previousPoints} <span aria-hidden="true">→</span>
                <span className={layout.hidden}>, </span>{' '}
              </>
            )}
            {points}
          </b>{' '}
          {scoreParts &&
            (difference === 0 && points === previousPoints ? (
              <span className={layout.muted}>{t`Unchanged since run ${previousRunNumber}`}</span>
            ) : (
              <>
                <span
                  aria-hidden="true"
                  className={`${styles.difference} ${difference > 0 ? layout.good : difference < 0 ? layout.bad : layout.muted}`}
                >
                  {signedDifference}
                </span>
                <span className={layout.hidden}>
                  {t`${signedDifference} from run ${otherRun.number} to run ${comparedRun.number}`}
                </span>
              </>
            ))}
        </p>
      )}
      {scoreParts && scoreParts.byDecisions !== 0 && (
        <p>
          <ScoreParts {...scoreParts} shownDifference={difference} />
        </p>
      )}
      <p className={styles.verdict}>{hasChanges ? <Verdict comparison={comparison} /> : t`No issue is new, fixed or ignored.`}</p>
      <p className={layout.muted}>
        {pages.onlyHere + pages.onlyThere === 0 ? (
          <Plural value={pages.both} one="Both runs tested the same page." other="Both runs tested the same # pages." />
        ) : (
          t`Pages: ${formatNumber(pages.both)} in both, ${formatNumber(pages.onlyHere)} only in run ${comparedRun.number}, ${formatNumber(pages.onlyThere)} only in run ${otherRun.number}`
        )}
      </p>
      {ignoredCount > 0 && (
        <p
          className={`${layout.muted} ${layout.sm}`}
        >{t`Issues that were ignored or marked as fixed are not open, even if a run found them again.`}</p>
      )}
    </div>
  )
}

/** Number of issues by change, without results to review: "16 fixed, 1 new or reappeared". */
function Verdict({ comparison }: { comparison: Comparison }) {
  const { t } = useLingui()
  const { formatNumber, formatList } = useFormats()
  const issueCounts = countChanges(comparison)
  const reviewCounts = countOfImpact(comparison, 'needsReview')
  const countOf = (change: ComparedChange) => issueCounts[change] - reviewCounts[change]
  const texts: Partial<Record<ComparedChange, string>> = {
    fixed: t`${plural(countOf('fixed'), { one: '# fixed', other: '# fixed' })}`,
    new: t`${plural(countOf('new'), { one: '# new or reappeared', other: '# new or reappeared' })}`,
    ignored: t`${plural(countOf('ignored'), { one: '# ignored', other: '# ignored' })}`,
    notRechecked: t`${formatNumber(countOf('notRechecked'))} not tested again`,
    notTestedBefore: t`${formatNumber(countOf('notTestedBefore'))} not tested before`,
    unchanged: t`${formatNumber(countOf('unchanged'))} still open`,
  }
  const isShown = (change: ComparedChange) => countOf(change) > 0 || change === 'fixed' || change === 'new'
  return (
    <>{t`Issues: ${formatList((Object.keys(texts) as ComparedChange[]).filter(isShown).map((change) => texts[change] ?? ''))}.`}</>
  )
}

type OnChooseChange = ((change: ComparedChange) => void) | null

function SeverityTable({ compared: comparison, onChoose }: { compared: Comparison; onChoose: OnChooseChange }) {
  const { t } = useLingui()
  const severityColumns = useSeverityColumns(comparison, onChoose)
  return <DataTable caption={t`Issues by impact`} columns={severityColumns} rows={[...impactKeys]} rowKey={(s) => s} />
}

function useSeverityColumns(comparison: Comparison, onChoose: OnChooseChange): Column<ImpactKey>[] {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const changeNames = useChangeNames()
  const createChangeColumn = (change: ComparedChange): Column<ImpactKey> => ({
    key: change,
    heading: changeNames[change],
    isNumeric: true,
    isOptional: change !== 'unchanged',
    renderCell: (impact) => {
      const value = countOfImpact(comparison, impact)[change]
      if (value === 0 || !onChoose) return <Count value={value} />
      return (
        <a
          href="#compared-issues"
          aria-label={`${formatNumber(value)}, ${t(getSignLabel(toSeverity(impact)))}, ${changeNames[change]}`}
          onClick={() => onChoose(change)}
        >
          {formatNumber(value)}
        </a>
      )
    },
  })
  return [
    {
      key: 'severity',
      heading: t`Impact`,
      isRowHeading: true,
      renderCell: (severity) => <SignLabel sign={toSeverity(severity)} />,
    },
    ...listShownChanges(countChanges(comparison)).map(createChangeColumn),
  ]
}

const comparedSides = ['onlyHere', 'onlyThere', 'both'] as const satisfies ComparedSide[]

/** Pages that only one run tested, or else, on request, those of both. */
function ComparedPageList({ compared: comparison, scanId }: { compared: Comparison; scanId: ScanId }) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const { pages } = comparison
  const [selectedSide, setSelectedSide] = useState<ComparedSide>(pages.onlyHere > 0 ? 'onlyHere' : 'onlyThere')
  const getOnlyInText = (number: number) => t`Only in run ${number}`
  const sideNames = {
    onlyHere: getOnlyInText(comparison.run.number),
    onlyThere: getOnlyInText(comparison.other.number),
    both: t`In both`,
  }
  const comparedRuns = { scanId, run: comparison.run.number, other: comparison.other.number }
  if (pages.onlyHere + pages.onlyThere === 0) return <CommonPages comparedRuns={comparedRuns} count={pages.both} />
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
                  {sideNames[side]} <span className={layout.num}>{formatNumber(pages[side])}</span>
                </>
              ),
            }))}
          />
        </div>
      </div>
      <ComparedPages key={selectedSide} comparedRuns={comparedRuns} side={selectedSide} />
    </section>
  )
}

type CommonPagesProps = { comparedRuns: { scanId: ScanId; run: number; other: number }; count: number }

function CommonPages({ comparedRuns, count }: CommonPagesProps) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className={styles.unchanged} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{t`Pages tested in both runs: ${formatNumber(count)}`}</summary>
      <div className={layout.card}>{isOpen && <ComparedPages comparedRuns={comparedRuns} side="both" />}</div>
    </details>
  )
}
