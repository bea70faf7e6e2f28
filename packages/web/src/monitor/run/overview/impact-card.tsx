import { Plural, useLingui } from '@lingui/react/macro'
import type { Severity } from '@clearway/contract/monitor/ruleset/schema.ts'
import { Link } from '@tanstack/react-router'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { UnknownValue } from '../../../kit/page/states.tsx'
import { everythingSelected } from '../../../kit/table/use-selection.ts'
import { DownloadStatus } from '../../../kit/client/download-status.tsx'
import { useDownload } from '../../../kit/client/use-download.ts'
import { issueSearchDefaults } from '../../issue/model.ts'
import { IssueExport } from '../../issue/parts/export.tsx'
import { hasMoreUntestedThanFixed } from '../parts/untested.ts'
import { SignLabel, getSignFill } from '../../ruleset/parts/severity.tsx'
import { useSession } from '../../user/model.ts'
import { UntestedIssues } from '../parts/not-counted.tsx'
import { SourceRun } from '../parts/source-run.tsx'
import type { RunOverviewData } from '../queries.ts'
import styles from './impact-card.module.css'

const impactRows = [
  ['critical', 'critical'],
  ['serious', 'serious'],
  ['moderate', 'moderate'],
  ['minor', 'minor'],
  ['needsReview', 'needs review'],
] as const

const countedSeverities: Severity[] = ['critical', 'serious', 'moderate', 'minor']

type ComparedRun = NonNullable<RunOverviewData['change']>
type ImpactKey = (typeof impactRows)[number][0]

/** Difference of the open issues without decisions about them. */
const countBySite = ({ openIssues, byDecisions }: ComparedRun, key: ImpactKey): number =>
  openIssues[key] - byDecisions.openIssues[key]

/** Open issues by impact. Results that need review are not part of the total. */
export function ImpactCard({ run, isEarlier = false }: { run: RunOverviewData; isEarlier?: boolean }) {
  const { t } = useLingui()
  const { formatNumber, formatPercent } = useFormats()
  const { openIssues } = run
  const difference = impactRows.reduce((sum, [key]) => sum + (run.change?.openIssues[key] ?? 0), 0)
  // Issues that were not tested are not fixed: fewer open ones would look like an improvement.
  const isIncomplete =
    run.pages.walled > 0 ||
    Boolean(run.unconfirmed) ||
    (run.change !== null && difference < 0 && hasMoreUntestedThanFixed(run.change))
  const comparedRun = isIncomplete || isEarlier ? null : run.change
  const hasDecided = comparedRun !== null && impactRows.some(([key]) => comparedRun.byDecisions.openIssues[key] !== 0)
  const runChange = comparedRun && impactRows.some(([key]) => countBySite(comparedRun, key) !== 0) ? comparedRun : null
  const maxCount = Math.max(1, ...impactRows.map(([key]) => openIssues[key]))
  const totalIssues = openIssues.critical + openIssues.serious + openIssues.moderate + openIssues.minor
  // Zero open issues say nothing about those that the run could not test.
  const waitingCount = isEarlier ? 0 : (run.change?.notRechecked ?? 0)
  const runSearch = { scanId: [run.scanId], run: run.number }
  const { deps, permissions } = useSession()
  const exportDownload = useDownload(deps)
  return (
    <section className={`${layout.card} ${layout.pad} ${styles.card}`} aria-labelledby="impact">
      <div className={layout.cardHead}>
        <h2 id="impact">{t`Open issues by impact`}</h2>
        <span className={`${layout.row} ${layout.end}`}>
          {totalIssues > 0 && (
            <Link className={layout.sm} to="/issues" search={{ ...runSearch, severity: countedSeverities }}>
              <Plural value={totalIssues} one="# issue" other="All # issues" />
            </Link>
          )}
          {!permissions.isGuest && totalIssues + openIssues.needsReview > 0 && (
            <IssueExport
              small
              search={{ ...issueSearchDefaults, ...runSearch }}
              selection={everythingSelected}
              download={exportDownload}
            >{t`Export`}</IssueExport>
          )}
        </span>
      </div>
      <DownloadStatus download={exportDownload} />
      <table className={styles.table}>
        <caption className={layout.hidden}>{t`Open issues by impact`}</caption>
        <thead className={layout.hidden}>
          <tr>
            <th scope="col">{t`Impact`}</th>
            <th scope="col">{t`Share`}</th>
            <th scope="col">{t`Open`}</th>
            {runChange && <th scope="col">{t`Change since run ${runChange.previousNumber}`}</th>}
          </tr>
        </thead>
        <tbody>
          {impactRows.map(([key, severity]) => (
            <tr key={key}>
              <th scope="row">
                <Link className={styles.name} to="/issues" search={{ ...runSearch, severity: [severity] }}>
                  <SignLabel sign={severity} />
                </Link>
              </th>
              <td className={styles.bar}>
                <svg width="100%" height="14" aria-hidden="true">
                  <rect className={getSignFill(severity)} width={`${(openIssues[key] / maxCount) * 100}%`} height="14" rx="3" />
                </svg>
                <span className={layout.hidden}>
                  {totalIssues > 0 && severity !== 'needs review' ? formatPercent(openIssues[key] / totalIssues) : ''}
                </span>
              </td>
              <td className={styles.count}>
                {run.score === null && run.endedAt ? (
                  <UnknownValue label={t`Not known: no page was tested`} />
                ) : (
                  formatNumber(openIssues[key])
                )}
              </td>
              {runChange && <ChangeCell difference={countBySite(runChange, key)} />}
            </tr>
          ))}
        </tbody>
      </table>
      {waitingCount > 0 && (
        <p>
          <UntestedIssues count={waitingCount} />
        </p>
      )}
      <p className={`${layout.muted} ${layout.sm}`}>
        {isEarlier && (
          <>
            <SourceRun run={run} />
            {'. '}
          </>
        )}
        {t`Results that need review are not part of the total.`}{' '}
        {hasDecided && t`Changes by ignoring and marking issues are not shown.`}
      </p>
    </section>
  )
}

function ChangeCell({ difference }: { difference: number }) {
  const { formatSigned } = useFormats()
  const tone = difference > 0 ? layout.bad : layout.good
  return <td className={`${styles.change} ${tone}`}>{difference !== 0 && formatSigned(difference)}</td>
}
