import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { toScorePoints } from '@clearway/contract/kit/score.ts'
import type { InboxEntry } from '@clearway/contract/monitor/notification/inbox/schema.ts'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { Icon } from '../../../kit/control/icon.tsx'
import { focusTitle } from '../../../kit/page/focus-title.ts'
import layout from '../../../kit/page/layout.module.css'
import { useFormats } from '../../../kit/text/format.ts'
import { RuleTitle } from '../../ruleset/parts/rule-title.tsx'
import { useSession } from '../../user/model.ts'
import styles from './entry.module.css'

type InboxEntryProps = {
  entry: InboxEntry
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
    const { score = null, new: newIssues = null } = run ?? {}
    if (score === null) return t`Run ${runNumber} is complete`
    const newText =
      newIssues === null ? '' : t`${plural(newIssues, { 0: 'No new issues', one: '# new issue', other: '# new issues' })}`
    return [newText, t`Score ${toScorePoints(score)}`].filter(Boolean).join(' · ')
  }
  return t`${plural(issues, { one: `${actorName} assigned # issue to you`, other: `${actorName} assigned # issues to you` })}`
}

/** Inbox entry: event, link and read state. Following the link marks it as read. */
export function InboxListEntry({ entry, leavesWhenRead, onRead }: InboxEntryProps) {
  const { t } = useLingui()
  const { formatDateTime, formatRecent } = useFormats()
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
    <li ref={itemRef} className={`${entry.read ? '' : styles.unread} ${entry.run?.new === 0 ? styles.calm : ''}`}>
      <span className={styles.dot} aria-hidden="true" />
      <div className={layout.grow}>
        <p>
          {!entry.read && <span className={layout.hidden}>{t`Unread`} · </span>}
          {entry.run?.status === 'failed' && (
            <span className={`${layout.bad} ${styles.sign}`}>
              <Icon name="stopSign" />
            </span>
          )}
          <span className={layout.break}>{entry.scanName}</span>: <EntryLink entry={entry} onFollow={onFollowLink} />
        </p>
        <p className={`${layout.muted} ${layout.sm} ${layout.break}`}>
          {entry.run && entry.run.status !== 'failed' && entry.run.score !== null && `${t`Run ${entry.run.number}`} · `}
          {entry.issue && (
            <>
              <RuleTitle rule={entry.issue.rule} help={entry.issue.help} /> ·{' '}
            </>
          )}
          <time dateTime={entry.at} title={formatDateTime(entry.at)}>
            {formatRecent(entry.at)}
          </time>
        </p>
      </div>
      {!entry.read && (
        <Button kind="quiet" small square icon="check" label={t`Mark as read: ${entrySentence}`} onPress={markAsRead} />
      )}
    </li>
  )
}

function EntryLink({ entry, onFollow }: { entry: InboxEntry; onFollow: () => void }): ReactNode {
  const { permissions } = useSession()
  const entrySentence = useEntrySentence(entry)
  const { scanId, issue, run } = entry
  if (run)
    return (
      <Link to="/scans/$scanId/$run" params={{ scanId, run: run.number }} onClick={onFollow}>
        {entrySentence}
      </Link>
    )
  const search = issue ? { scanId: [scanId], issue: issue.id } : { scanId: [scanId], assignedTo: [permissions.id] }
  return (
    <Link to="/issues" search={search} onClick={onFollow}>
      {entrySentence}
    </Link>
  )
}
