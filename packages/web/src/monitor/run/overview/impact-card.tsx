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
import { SignLabel, signFill } from '../../ruleset/parts/severity.tsx'
import { useSession } from '../../user/model.ts'
import type { Overview } from '../queries.ts'
import styles from './impact-card.module.css'

const rows = [
  ['critical', 'critical'],
  ['serious', 'serious'],
  ['moderate', 'moderate'],
  ['minor', 'minor'],
  ['needsReview', 'needs review'],
] as const

const counted: Severity[] = ['critical', 'serious', 'moderate', 'minor']

/** Open issues by impact. What needs review is never part of the total. */
export function ImpactCard({ run }: { run: Overview }) {
  const { t } = useLingui()
  const { formatNumber: number, formatPercent: percent, formatSigned: signed } = useFormats()
  const { openIssues, change } = run
  const most = Math.max(1, ...rows.map(([key]) => openIssues[key]))
  const total = openIssues.critical + openIssues.serious + openIssues.moderate + openIssues.minor
  const search = { scanId: [run.scanId], run: run.number }
  const { deps, permissions } = useSession()
  const download = useDownload(deps)
  return (
    <section className={`${layout.card} ${layout.pad}`} aria-labelledby="impact">
      <div className={layout.cardHead}>
        <h2 id="impact">{t`Open issues by impact`}</h2>
        <span className={`${layout.row} ${layout.end}`}>
          {total > 0 && (
            <Link className={layout.sm} to="/issues" search={{ ...search, severity: counted }}>
              <Plural value={total} one="# issue" other="All # issues" />
            </Link>
          )}
          {!permissions.isGuest && total + openIssues.needsReview > 0 && (
            <IssueExport
              search={{ ...issueSearchDefaults, ...search }}
              selection={everythingSelected}
              download={download}
            >{t`Export`}</IssueExport>
          )}
        </span>
      </div>
      <DownloadStatus download={download} />
      <table className={styles.table}>
        <caption className={layout.hidden}>{t`Open issues by impact`}</caption>
        <thead className={layout.hidden}>
          <tr>
            <th scope="col">{t`Impact`}</th>
            <th scope="col">{t`Share`}</th>
            <th scope="col">{t`Open`}</th>
            {change && <th scope="col">{t`Change since run ${change.previousNumber}`}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(([key, severity]) => (
            <tr key={key}>
              <th scope="row">
                <Link className={styles.name} to="/issues" search={{ ...search, severity: [severity] }}>
                  <SignLabel sign={severity} />
                </Link>
              </th>
              <td className={styles.bar}>
                <svg width="100%" height="14" aria-hidden="true">
                  <rect
                    className={signFill(severity)}
                    width={`${(openIssues[key] / most) * 100}%`}
                    height="14"
                    rx="3"
                  />
                </svg>
                <span className={layout.hidden}>
                  {total > 0 && severity !== 'needs review' ? percent(openIssues[key] / total) : ''}
                </span>
              </td>
              <td className={styles.count}>
                {run.score === null ? (
                  <UnknownValue label={t`Not known: no page was tested`} />
                ) : (
                  number(openIssues[key])
                )}
              </td>
              {change && <td className={styles.change}>{signed(change.openIssues[key])}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      <p
        className={`${layout.muted} ${layout.sm}`}
      >{t`Results that need review are not part of the total.`}</p>
    </section>
  )
}
