import { Plural, useLingui } from '@lingui/react/macro'
import type { IssueList } from '@clearway/contract/monitor/issue/schema.ts'
import type { ScanSummary } from '@clearway/contract/monitor/scan/schema.ts'
import { Link } from '@tanstack/react-router'
import { Icon } from '../../../kit/control/icon.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { RuleTitle } from '../../ruleset/parts/rule-title.tsx'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import styles from './rollup.module.css'

/** Scans with a failed latest run; hidden if there are none. */
export function FailedRunsCard({ scans }: { scans: readonly ScanSummary[] }) {
  const { t } = useLingui()
  const { formatRecent } = useFormats()
  if (scans.length === 0) return null
  return (
    <section className={`${layout.card} ${styles.failed}`} aria-labelledby="rollup-failed">
      <h2 id="rollup-failed">
        <Icon name="stopSign" /> {t`Failed runs`}
      </h2>
      <ul>
        {scans.map(({ id, name, lastRun }) => (
          <li key={id} className={layout.break}>
            <Link to="/scans/$scanId" params={{ scanId: id }}>
              {name}
            </Link>{' '}
            {lastRun && (
              <span className={`${layout.muted} ${layout.sm} ${layout.moment}`}>
                {formatRecent(lastRun.endedAt ?? lastRun.queuedAt)}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The most severe open issues assigned to the user; hidden if there are none. */
export function OwnIssuesCard({ list, person }: { list: IssueList; person: string }) {
  const { t } = useLingui()
  const ownSearch = { assignedTo: [person] }
  if (list.content.length === 0) return null
  return (
    <section className={`${layout.card} ${styles.card}`} aria-labelledby="rollup-own">
      <div className={`${layout.pad} ${layout.tight}`}>
        <h2 id="rollup-own">{t`Assigned to me`}</h2>
        <ul className={layout.tight}>
          {list.content.map((issue) => (
            <li key={issue.id} className={layout.break}>
              <SignLabel sign={issue.severity} />{' '}
              <Link to="/issues" search={{ ...ownSearch, issue: issue.id }}>
                <RuleTitle rule={issue.rule} help={issue.help} isUndecided={issue.needsReview} />
              </Link>{' '}
              <span className={`${layout.muted} ${layout.sm}`}>{issue.scanName}</span>
            </li>
          ))}
        </ul>
        <p>
          <Link to="/issues" search={ownSearch}>
            <Plural value={list.totalIssues} one="Show # issue" other="Show all # issues" />
          </Link>
        </p>
      </div>
    </section>
  )
}
