import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { InboxEntry } from '@clearway/contract/monitor/notification/inbox/schema.ts'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { focusTitle } from '../../../kit/page/focus-title.ts'
import layout from '../../../kit/page/layout.module.css'
import { splitPointChange, useFormats } from '../../../kit/text/format.ts'
import { ScoreBar } from '../../run/parts/score-bar.tsx'
import { RuleTitle } from '../../ruleset/parts/rule-title.tsx'
import { useSession } from '../../user/model.ts'
import styles from './entry.module.css'

type InboxEntryProps = {
  entry: InboxEntry
  /** Day above the first of its entries. */
  day: string | null
  /** True if read entries disappear from the list. */
  leavesWhenRead: boolean
  onRead: () => void
}

function useEntrySentence({ kind, actor, issues, run }: InboxEntry): string {
  const { t } = useLingui()
  const actorName = actor?.name ?? t`Former member`
  const runNumber = run?.number ?? 0
  if (kind === 'mentioned') return t`${actorName} mentioned you in a comment`
  if (kind === 'run') {
    if (run?.status === 'failed') return t`Run ${runNumber} failed`
    const { new: newIssues = null, back = 0, fixed: fixedIssues = 0 } = run ?? {}
    if (newIssues === null) return t`Run ${runNumber} is complete`
    return [
      ...(newIssues > 0 || !back
        ? [t`${plural(newIssues, { 0: 'No new issues', one: '# new issue', other: '# new issues' })}`]
        : []),
      ...(back ? [t`${plural(back, { one: '# reappeared', other: '# reappeared' })}`] : []),
      ...(fixedIssues ? [t`${plural(fixedIssues, { one: '# fixed', other: '# fixed' })}`] : []),
    ].join(' · ')
  }
  return t`${plural(issues, { one: `${actorName} assigned # issue to you`, other: `${actorName} assigned # issues to you` })}`
}

/** Inbox entry: event, link and read state. Following the link marks it as read. */
export function InboxListEntry({ entry, day, leavesWhenRead, onRead }: InboxEntryProps) {
  const { t } = useLingui()
  const { formatDateTime, formatTime } = useFormats()
  const entrySentence = useEntrySentence(entry)
  const itemRef = useRef<HTMLLIElement>(null)
  // The button disappears, and possibly the entry: the focus moves to a remaining entry.
  const markAsRead = () => {
    const { current: currentItem } = itemRef
    const remainingItem = leavesWhenRead ? (currentItem?.nextElementSibling ?? currentItem?.previousElementSibling) : currentItem
    const nextLink = remainingItem?.querySelector('a')
    if (nextLink) nextLink.focus()
    else focusTitle()
    onRead()
  }
  const onFollowLink = () => {
    if (!entry.read) onRead()
  }
  return (
    <li ref={itemRef} className={entry.read ? undefined : styles.unread}>
      {day !== null && <h2 className={styles.day}>{day}</h2>}
      <span className={styles.dot} aria-hidden="true" />
      <div className={layout.grow}>
        <p>
          <EntryLink entry={entry} onFollow={onFollowLink}>
            {!entry.read && <span className={layout.hidden}>{t`Unread`} · </span>}
            <span className={styles.name}>{entry.scanName}</span>
            <span className={layout.hidden}>:</span>{' '}
            <span className={entry.run?.status === 'failed' ? layout.bad : undefined}>{entrySentence}</span>
          </EntryLink>
        </p>
        <p className={`${layout.muted} ${layout.sm} ${layout.break}`}>
          {entry.run && entry.run.new !== null && <span className={styles.run}>{t`Run ${entry.run.number}`} · </span>}
          {entry.issue && (
            <>
              <RuleTitle rule={entry.issue.rule} help={entry.issue.help} /> ·{' '}
            </>
          )}
          <time className={layout.moment} dateTime={entry.at} title={formatDateTime(entry.at)}>
            {formatTime(entry.at)}
          </time>
        </p>
      </div>
      {entry.run && <EntryScore run={entry.run} />}
      <div className={styles.action}>
        {!entry.read && (
          <Button
            kind="quiet"
            small
            icon="check"
            label={t`Mark as read: ${entry.scanName}, ${entrySentence}`}
            onPress={markAsRead}
          >
            <span className={styles.actionText}>{t`Mark as read`}</span>
          </Button>
        )}
      </div>
    </li>
  )
}

/** Score of a run and its change, in the whole points that the scan list shows. */
function EntryScore({ run }: { run: NonNullable<InboxEntry['run']> }) {
  const { t } = useLingui()
  const { formatSigned } = useFormats()
  if (run.score === null) return null
  const { score, scoreChange, scoreChangeByDecisions: byDecisions } = run
  const change = scoreChange === null ? 0 : splitPointChange(score, { score: scoreChange, byDecisions: byDecisions ?? 0 }).bySite
  return (
    <p className={styles.score}>
      <span className={layout.hidden}>{t`Score`} </span>
      <ScoreBar score={score} />
      <span className={`${styles.change} ${change > 0 ? layout.good : change < 0 ? layout.bad : layout.muted}`}>
        {change !== 0 && formatSigned(change)}
        {scoreChange !== null && (
          <span className={layout.hidden}> {change === 0 ? t`Unchanged since last run` : t`since last run`}</span>
        )}
      </span>
    </p>
  )
}

function EntryLink({ entry, onFollow, children }: { entry: InboxEntry; onFollow: () => void; children: ReactNode }): ReactNode {
  const { permissions } = useSession()
  const { scanId, issue, run } = entry
  if (run)
    return (
      <Link to="/scans/$scanId/$run" params={{ scanId, run: run.number }} onClick={onFollow}>
        {children}
      </Link>
    )
  const search = issue ? { scanId: [scanId], issue: issue.id } : { scanId: [scanId], assignedTo: [permissions.id] }
  return (
    <Link to="/issues" search={search} onClick={onFollow}>
      {children}
    </Link>
  )
}
