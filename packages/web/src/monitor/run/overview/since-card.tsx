import { Plural, useLingui } from '@lingui/react/macro'
import type { IssueChange } from '@clearway/contract/monitor/issue/schema.ts'
import type { RunChange } from '@clearway/contract/monitor/run/schema.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type * as z from 'zod/mini'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import type { RunKey } from '../queries.ts'
import styles from './since-card.module.css'

type SinceCardProps = RunKey & { change: z.output<typeof RunChange> }

/** Improvements and regressions since the previous run. */
export function SinceCard({ change, scanId, run }: SinceCardProps) {
  const { t } = useLingui()
  const { formatNumber, formatDate, formatSigned } = useFormats()
  const previousRunNumber = change.previousNumber
  const { newCritical: newCriticalCount } = change
  const pageChanges = [change.pagesAdded, -change.pagesGone].filter((count) => count !== 0)
  const pageChangeText = pageChanges.length > 0 ? pageChanges.map(formatSigned).join(' ') : formatNumber(0)
  const createSearch = (changes: z.output<typeof IssueChange>) => ({
    scanId: [scanId],
    run,
    change: [changes],
  })
  return (
    <section className={`${layout.card} ${styles.since}`} aria-labelledby="since">
      <div className={styles.lead}>
        <h2 id="since">{t`Since run ${previousRunNumber}`}</h2>
        {change.previousEndedAt && <span className={`${layout.muted} ${layout.sm}`}>{formatDate(change.previousEndedAt)}</span>}
        <Link
          className={layout.sm}
          to="/scans/$scanId/$run/compare/$other"
          params={{ scanId, run, other: previousRunNumber }}
        >{t`Compare with run ${change.previousNumber}`}</Link>
      </div>
      <ChangeFact
        value={
          <Link to="/issues" search={{ ...createSearch('fixed'), status: ['fixed'] }}>
            {formatNumber(change.fixed)}
          </Link>
        }
      >
        <span className={change.fixed > 0 ? layout.good : layout.muted}>{t`fixed`}</span>
      </ChangeFact>
      <ChangeFact
        value={
          <Link to="/issues" search={createSearch('new')}>
            {formatNumber(change.new)}
          </Link>
        }
      >
        <span className={change.new > 0 ? layout.bad : layout.muted}>
          {newCriticalCount > 0 ? <Plural value={newCriticalCount} one="new, # critical" other="new, # critical" /> : t`new`}
        </span>
      </ChangeFact>
      {change.back > 0 && (
        <ChangeFact
          value={
            <Link to="/issues" search={createSearch('back')}>
              {formatNumber(change.back)}
            </Link>
          }
        >
          <span className={layout.bad}>{t`reappeared`}</span>
        </ChangeFact>
      )}
      <ChangeFact
        value={
          <Link to="/issues" search={createSearch('still')}>
            {formatNumber(change.stillOpen)}
          </Link>
        }
      >
        <span className={layout.muted}>{t`still open`}</span>
      </ChangeFact>
      {change.notRechecked > 0 && (
        <ChangeFact
          value={
            <Link to="/issues" search={createSearch('not-rechecked')}>
              {formatNumber(change.notRechecked)}
            </Link>
          }
        >
          <span className={layout.muted}>{t`not tested again`}</span>
        </ChangeFact>
      )}
      {change.issuesGone > 0 && (
        <ChangeFact
          value={
            <Link to="/issues" search={createSearch('page-gone')}>
              {formatNumber(change.issuesGone)}
            </Link>
          }
        >
          <span className={layout.muted}>{t`gone with their pages`}</span>
        </ChangeFact>
      )}
      <LimitFacts change={change} />
      <ChangeFact value={pageChangeText}>
        <span className={layout.muted}>{t`pages`}</span>
      </ChangeFact>
    </section>
  )
}

/** Pages that the page limit kept out of the comparison. */
function LimitFacts({ change }: Pick<SinceCardProps, 'change'>) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  return (
    <>
      {change.pagesNotTested > 0 && (
        <ChangeFact value={formatNumber(change.pagesNotTested)}>
          <span className={layout.muted}>{t`pages not tested because of the page limit`}</span>
        </ChangeFact>
      )}
      {change.pagesCompared !== null && (
        <ChangeFact value={formatNumber(change.pagesCompared)}>
          <span className={layout.muted}>{t`pages tested in both runs: only these are compared`}</span>
        </ChangeFact>
      )}
    </>
  )
}

function ChangeFact({ value, children }: { value: ReactNode; children: ReactNode }) {
  return (
    <div>
      <b>{value}</b>
      <span className={layout.sm}>{children}</span>
    </div>
  )
}
