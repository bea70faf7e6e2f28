import { Plural, useLingui } from '@lingui/react/macro'
import { getUnderstandingUrl, listCriteria } from '@clearway/contract/monitor/ruleset/criterion/model.ts'
import type { PageOverview, ViolationRow } from '@clearway/contract/monitor/run/schema.ts'
import { Link } from '@tanstack/react-router'
import type * as z from 'zod/mini'
import { toErrorPoints, toScorePoints } from '@clearway/contract/kit/score.ts'
import { FactList } from '../../../kit/page/fact-list.tsx'
import layout from '../../../kit/page/layout.module.css'
import { type Column, DataTable } from '../../../kit/table/table.tsx'
import type { ScoreSample } from '@clearway/contract/monitor/run/sample/schema.ts'
import { Count } from '../../../kit/text/count.tsx'
import { splitPointChange, useFormats } from '../../../kit/text/format.ts'
import { NewTabLink } from '../../../kit/text/new-tab-link.tsx'
import { UrlText } from '../../../kit/text/url-text.tsx'
import { useSignInTexts } from '../../scan/parts/sign-in-kind.ts'
import { CommonIssueCounts } from '../parts/component-counts.tsx'
import { UnseenPages, UntestedIssues } from '../parts/not-counted.tsx'
import { isProofExpected, ProvedShare } from '../parts/proved-share.tsx'
import { getCriterionName } from '../../ruleset/parts/criterion-name.ts'
import { RuleTitle } from '../../ruleset/parts/rule-title.tsx'
import { useRuleSetNames } from '../../ruleset/parts/rule-set-names.ts'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import type { RunKey, RunOverviewData } from '../queries.ts'
import { FailedPages } from './failed-pages.tsx'
import { groupByCriterion, type ReportedCriterion } from './model.ts'
import { RuleGain } from '../parts/rule-gain.tsx'
import styles from './report.module.css'

type RulesProps = { rules: readonly ViolationRow[]; runKey: RunKey }
const maxTopRules = 5

/** A few sentences: the score, what it does not cover, its change, and the rule to start with. */
export function ReportSummary({ run, rules }: { run: RunOverviewData; rules: readonly ViolationRow[] }) {
  const { t } = useLingui()
  const { formatList, formatNumber } = useFormats()
  const { openIssues, score, change } = run
  const impactTexts: Record<'critical' | 'serious' | 'moderate' | 'minor', (count: string) => string> = {
    critical: (count) => t`${count} critical`,
    serious: (count) => t`${count} serious`,
    moderate: (count) => t`${count} moderate`,
    minor: (count) => t`${count} minor`,
  }
  const issueCount = openIssues.critical + openIssues.serious + openIssues.moderate + openIssues.minor
  const points = score === null ? null : toScorePoints(score)
  const waitingCount = change?.notRechecked ?? 0
  const unseenCount = run.pages.walled
  const impacts = (['critical', 'serious', 'moderate', 'minor'] as const).filter((impact) => openIssues[impact] > 0)
  const impactList = formatList(impacts.map((impact) => impactTexts[impact](formatNumber(openIssues[impact]))))
  const [firstRule] = rules.filter(({ issues }) => issues > 0)
  return (
    <>
      {points !== null && (
        <p className={styles.score}>
          <b>{points}</b> <span className={layout.muted}>{t`of 100`}</span>
        </p>
      )}
      <p>
        {points === null ? t`No page could be scored.` : <ScoreSentence run={run} points={points} />}{' '}
        {points !== null && issueCount === 0 && t`No issues are open.`}
        {points !== null && issueCount > 0 && (
          <Plural value={issueCount} one={`# issue is open: ${impactList}.`} other={`# issues are open: ${impactList}.`} />
        )}{' '}
        <UntestedIssues count={waitingCount} /> <UnseenPages count={unseenCount} />{' '}
        {firstRule && (
          <>
            {t`Start with this rule:`}{' '}
            <Link to="/issues" search={{ scanId: [run.scanId], run: run.number, rule: [firstRule.rule] }}>
              <RuleTitle rule={firstRule.rule} help={firstRule.help} />
            </Link>
            .
          </>
        )}
      </p>
    </>
  )
}

/** The score and its change since the previous run. What decisions about issues changed is told apart. */
function ScoreSentence({ run: { score, change }, points }: { run: RunOverviewData; points: number }) {
  const { t } = useLingui()
  const { formatSigned } = useFormats()
  const scoreText = t`The score is ${points} of 100.`
  if (score === null || !change || change.score === null || change.ruleSetChanged) return scoreText
  const { bySite, byDecisions } = splitPointChange(score, { score: change.score, byDecisions: change.byDecisions.score ?? 0 })
  const previousRun = change.previousNumber
  const changedCount = Math.abs(bySite)
  const [signedSitePoints, signedDecidedPoints] = [formatSigned(bySite), formatSigned(byDecisions)]
  if (byDecisions !== 0)
    return `${scoreText} ${t`Since run ${previousRun}: ${signedSitePoints} from changes on the site, ${signedDecidedPoints} from decisions about issues.`}`
  if (bySite === 0) return t`The score is ${points} of 100, unchanged since run ${previousRun}.`
  return bySite > 0 ? (
    <Plural
      value={changedCount}
      one={`The score is ${points} of 100, # point more than in run ${previousRun}.`}
      other={`The score is ${points} of 100, # points more than in run ${previousRun}.`}
    />
  ) : (
    <Plural
      value={changedCount}
      one={`The score is ${points} of 100, # point less than in run ${previousRun}.`}
      other={`The score is ${points} of 100, # points less than in run ${previousRun}.`}
    />
  )
}

/** Success criteria of WCAG with issues, or with results to review. */
export function ReportCriteria({ rules, runKey }: RulesProps) {
  const { t } = useLingui()
  const helpTexts = new Map(rules.map(({ rule, help }) => [rule, help]))
  const undecidedRules = new Set(rules.filter(({ issues }) => issues === 0).map(({ rule }) => rule))
  const columns: Column<ReportedCriterion>[] = [
    {
      key: 'criterion',
      heading: t`Success criterion`,
      isRowHeading: true,
      renderCell: ({ criterion }) => (criterion === null ? t`No success criterion` : <CriterionLink criterion={criterion} />),
    },
    {
      key: 'rules',
      heading: t`Rules`,
      renderCell: ({ rules: ruleIds }) => (
        <ul className={styles.rules}>
          {ruleIds.map((rule) => (
            <li key={rule}>
              <RuleTitle rule={rule} help={helpTexts.get(rule) ?? rule} isUndecided={undecidedRules.has(rule)} />
            </li>
          ))}
        </ul>
      ),
    },
    { key: 'issues', heading: t`Issues`, isNumeric: true, renderCell: ({ issues }) => <Count value={issues} /> },
    { key: 'review', heading: t`To review`, isNumeric: true, renderCell: ({ needsReview }) => <Count value={needsReview} /> },
  ]
  const criteria = groupByCriterion(rules)
  const sharedCount = rules.reduce((sum, { issues, tags }) => sum + (listCriteria(tags).length > 1 ? issues : 0), 0)
  return (
    <section className={`${layout.card} ${styles.part}`} aria-labelledby="criteria">
      <div className={`${layout.pad} ${layout.tight}`}>
        <h2 id="criteria">{t`Success criteria`}</h2>
        <p className={layout.muted}>
          {criteria.every(({ criterion }) => criterion === null)
            ? t`The automated tests found no violation of a success criterion.`
            : t`Criteria with issues. Automated tests do not prove that the other criteria are met.`}
          {sharedCount > 0 && (
            <>
              {' '}
              <Plural
                value={sharedCount}
                one="# issue counts under more than one criterion."
                other="# issues count under more than one criterion."
              />
            </>
          )}
        </p>
      </div>
      {criteria.length > 0 && (
        <DataTable
          key={runKey.run}
          caption={t`Success criteria`}
          columns={columns}
          rows={criteria}
          rowKey={({ criterion }) => criterion ?? ''}
        />
      )}
    </section>
  )
}

/** Number and name of a criterion, linked to its explanation. */
export function CriterionLink({ criterion }: { criterion: string }) {
  const { t } = useLingui()
  const url = getUnderstandingUrl(criterion)
  const name = getCriterionName(criterion)
  const label = name === null ? `WCAG ${criterion}` : `${criterion} ${t(name)}`
  return url ? (
    <NewTabLink href={url} says={t`(in English, opens in a new tab)`}>
      {label}
    </NewTabLink>
  ) : (
    label
  )
}

/** The rules whose fix gains most. */
export function ReportRules({ rules, runKey }: RulesProps) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const topRules = rules.filter(({ issues }) => issues > 0).slice(0, maxTopRules)
  if (topRules.length === 0) return null
  const columns: Column<ViolationRow>[] = [
    {
      key: 'impact',
      heading: t`Impact`,
      isSelfExplaining: true,
      renderCell: ({ impact }) => <SignLabel sign={impact ?? 'minor'} />,
    },
    {
      key: 'rule',
      heading: t`Rule`,
      isRowHeading: true,
      renderCell: ({ rule, help }) => (
        <Link to="/issues" search={{ scanId: [runKey.scanId], run: runKey.run, rule: [rule] }}>
          <RuleTitle rule={rule} help={help} />
        </Link>
      ),
    },
    { key: 'issues', heading: t`Issues`, isNumeric: true, renderCell: ({ issues }) => formatNumber(issues) },
    { key: 'pages', heading: t`Pages`, isNumeric: true, renderCell: ({ pages }) => formatNumber(pages) },
    {
      key: 'gain',
      heading: t`Score gain`,
      isNumeric: true,
      renderCell: ({ scoreGain }) => <RuleGain scoreGain={scoreGain} />,
    },
  ]
  return (
    <section className={`${layout.card} ${styles.part}`} aria-labelledby="top-rules">
      <div className={layout.pad}>
        <h2 id="top-rules">{t`Where to start`}</h2>
      </div>
      <DataTable caption={t`Where to start`} columns={columns} rows={topRules} rowKey={({ rule }) => rule} />
    </section>
  )
}

function ScoreErrorText({ sample }: { sample: ScoreSample }) {
  const { t } = useLingui()
  const errorPoints = toErrorPoints(sample)
  return t`± ${errorPoints}, by the known URLs that each tested page stands for`
}

/** Pages that were tested, and those that were not, with the reasons. */
export function ReportCoverage({ run, pages }: { run: RunOverviewData; pages: z.output<typeof PageOverview> }) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const { completed, failed, walled, excluded, otherDomainIgnored, overLimit, notReached } = run.pages
  const formatRare = (count: number) => (count > 0 ? formatNumber(count) : null)
  return (
    <section className={`${layout.card} ${layout.pad} ${layout.tight} ${styles.part}`} aria-labelledby="coverage">
      <h2 id="coverage">{t`Coverage`}</h2>
      <FactList
        facts={[
          [t`Tested pages`, formatNumber(completed)],
          [t`Also by keyboard and mouse`, formatRare(pages.driven.full)],
          [t`Also in narrow windows`, formatRare(pages.driven.full + pages.driven.narrow)],
          [t`Of these, tested in part`, formatRare(pages.driven.inPart)],
          [t`Not seen behind a dialog or an error`, formatRare(walled)],
          [t`Proved signed in`, isProofExpected(run.pages) && <ProvedShare key="proved" pages={run.pages} />],
          [t`Known URLs beyond the page limit`, formatRare(overLimit)],
          [t`Error of the score, in points`, run.sample && <ScoreErrorText key="error" sample={run.sample} />],
          [t`Not reached`, formatRare(notReached)],
          [t`Excluded by settings`, formatRare(excluded)],
          [t`On other domains`, formatRare(otherDomainIgnored)],
          [t`In common components`, run.commonIssues && <CommonIssueCounts key="common" counts={run.commonIssues} />],
          [t`Ignored issues, not counted`, formatRare(run.ignoredIssues)],
        ]}
      />
      {failed > 0 && <FailedPages runKey={{ scanId: run.scanId, run: run.number }} count={failed} failures={pages.failures} />}
    </section>
  )
}

/** The tools and rules of the run, and the limits of such tests. */
export function ReportMethod({ run }: { run: RunOverviewData }) {
  const { t } = useLingui()
  const { formatDateTime } = useFormats()
  const getSignInTexts = useSignInTexts()
  const getRuleSetNames = useRuleSetNames()
  return (
    <section className={`${layout.card} ${layout.pad} ${layout.tight} ${styles.part}`} aria-labelledby="method">
      <h2 id="method">{t`Method`}</h2>
      <FactList
        facts={[
          [
            t`Start URLs`,
            run.startUrls.map((url) => (
              <div key={url}>
                <UrlText url={url} />
              </div>
            )),
          ],
          [t`Rules`, [`axe-core ${run.axeRelease}`, ...getRuleSetNames(run.ruleSet)].join(', ')],
          [t`Sign-in`, getSignInTexts(run.signIn).join(', ')],
          [t`Browser`, run.browser],
          [t`Started`, run.startedAt && formatDateTime(run.startedAt)],
          [t`Ended`, run.endedAt && formatDateTime(run.endedAt)],
        ]}
      />
      <p className={layout.muted}>
        {t`Automated tests find only part of all barriers. Tests by people, with keyboard and screen reader, complete them.`}
      </p>
    </section>
  )
}
