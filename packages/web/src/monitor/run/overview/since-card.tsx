import { Plural, useLingui } from '@lingui/react/macro'
import type { RunChange } from '@clearway/contract/monitor/run/schema.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type * as z from 'zod/mini'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import type { IssueSearch } from '../../issue/model.ts'
import type { RunKey } from '../queries.ts'
import styles from './since-card.module.css'

/** Filter of the issues that the run found. */
const presentIssues: Pick<IssueSearch, 'change' | 'severity'> = {
  change: ['new', 'back', 'still'],
  severity: ['critical', 'serious', 'moderate', 'minor'],
}

type SinceCardProps = RunKey & { change: z.output<typeof RunChange> }

/** Improvements and regressions since the previous run. Ignored issues are no improvement, and have a figure of their own. */
export function SinceCard({ change, scanId, run }: SinceCardProps) {
  const { t } = useLingui()
  const { formatNumber, formatDate, formatSigned } = useFormats()
  const previousRunNumber = change.previousNumber
  const changeFacts = useChangeFacts(change)
  const pageChangeText = [change.pagesAdded, -change.pagesGone].map(formatSigned).join(' / ')
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
      {changeFacts
        .filter(({ value, isRare }) => value > 0 || !isRare)
        .map(({ key, value, label, tone, search }) => (
          <ChangeFact
            key={key}
            value={
              value === 0 ? (
                <span className={styles.zero}>{formatNumber(0)}</span>
              ) : (
                <Link to="/issues" search={{ scanId: [scanId], run, ...search }}>
                  {formatNumber(value)}
                </Link>
              )
            }
          >
            <span className={value > 0 ? layout[tone] : layout.muted}>{label}</span>
          </ChangeFact>
        ))}
      <LimitFacts change={change} />
      {(change.pagesAdded > 0 || change.pagesGone > 0) && (
        <ChangeFact value={pageChangeText}>
          <span className={layout.muted}>{t`pages added / gone`}</span>
        </ChangeFact>
      )}
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
          <span className={layout.muted}>{t`pages of the last run that made room for others within the page limit`}</span>
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

type ChangeFigure = {
  key: string
  value: number
  label: ReactNode
  tone: 'good' | 'bad' | 'muted'
  /** Shown only if it occurs. */
  isRare: boolean
  /** Filter of the issues that it counts. */
  search: Partial<Pick<IssueSearch, 'status' | 'change' | 'severity'>>
}

/** The figures of a change, each with the filter of the issues that it counts. */
function useChangeFacts(change: SinceCardProps['change']): ChangeFigure[] {
  const { t } = useLingui()
  const { newCritical: newCriticalCount, newlyIgnored: newlyIgnoredCount } = change
  const decided = { isRare: true, tone: 'muted' } as const
  return [
    {
      key: 'fixed',
      value: change.fixed,
      label: t`fixed`,
      tone: 'good',
      isRare: false,
      search: { change: ['fixed'], status: ['fixed'] },
    },
    {
      key: 'new',
      value: change.new,
      label: newCriticalCount > 0 ? <Plural value={newCriticalCount} one="new, # critical" other="new, # critical" /> : t`new`,
      tone: 'bad',
      isRare: false,
      search: { change: ['new'] },
    },
    { key: 'back', value: change.back, label: t`reappeared`, tone: 'bad', isRare: true, search: { change: ['back'] } },
    { key: 'still', value: change.stillOpen, label: t`still open`, tone: 'muted', isRare: false, search: { change: ['still'] } },
    {
      ...decided,
      key: 'ignored',
      value: change.ignored,
      label:
        newlyIgnoredCount === 0 ? (
          <Plural value={change.ignored} one="ignored issue still found" other="ignored issues still found" />
        ) : newlyIgnoredCount < change.ignored ? (
          <Plural value={newlyIgnoredCount} one="ignored, # of them newly" other="ignored, # of them newly" />
        ) : (
          t`newly ignored`
        ),
      search: { ...presentIssues, status: ['ignored'] },
    },
    {
      ...decided,
      key: 'dismissed',
      value: change.dismissed,
      label: t`marked as fixed or as no issue`,
      search: { ...presentIssues, status: ['none', 'fixed'] },
    },
    {
      ...decided,
      key: 'not-rechecked',
      value: change.notRechecked,
      label: t`not tested again`,
      search: { change: ['not-rechecked'] },
    },
    {
      ...decided,
      key: 'page-gone',
      value: change.issuesGone,
      label: t`gone with their pages`,
      search: { change: ['page-gone'] },
    },
  ]
}

function ChangeFact({ value, children }: { value: ReactNode; children: ReactNode }) {
  return (
    <div>
      <b>{value}</b>
      <span className={layout.sm}>{children}</span>
    </div>
  )
}
