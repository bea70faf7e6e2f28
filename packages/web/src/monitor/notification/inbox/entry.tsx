import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { InboxEntry } from '@clearway/contract/monitor/notification/inbox/schema.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useRef } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { focusTitle } from '../../../kit/page/focus-title.ts'
import layout from '../../../kit/page/layout.module.css'
import { useFormats } from '../../../kit/text/format.ts'
import { RuleTitle } from '../../ruleset/parts/rule-title.tsx'
import { useSession } from '../../user/model.ts'
import styles from './entry.module.css'

type Props = {
  entry: InboxEntry
  /** Once it is read, it leaves the list. */
  leaves: boolean
  onRead: () => void
}

/** What happened, in a sentence. */
function useSentence({ kind, actor, issues, run }: InboxEntry): string {
  const { t } = useLingui()
  const who = actor?.name ?? t`Former member`
  const number = run?.number ?? 0
  if (kind === 'mentioned') return t`${who} mentioned you in a comment`
  if (kind === 'run') return run?.status === 'failed' ? t`Run ${number} failed` : t`Run ${number} is complete`
  return t`${plural(issues, { one: `${who} assigned # issue to you`, other: `${who} assigned # issues to you` })}`
}

/** One entry: what happened, where it leads, and whether it was read. To follow it is to read it. */
export function Entry({ entry, leaves, onRead }: Props) {
  const { t } = useLingui()
  const { formatDateTime: dateTime } = useFormats()
  const sentence = useSentence(entry)
  const item = useRef<HTMLLIElement>(null)
  // The button goes, and the entry perhaps: the focus goes to what stays.
  const mark = () => {
    const { current } = item
    const stays = leaves ? (current?.nextElementSibling ?? current?.previousElementSibling) : current
    const next = stays?.querySelector('a')
    if (next) next.focus()
    else focusTitle()
    onRead()
  }
  const follow = () => {
    if (!entry.read) onRead()
  }
  return (
    <li ref={item} className={entry.read ? '' : (styles.unread ?? '')}>
      <span className={styles.dot} aria-hidden="true" />
      <div className={layout.grow}>
        <p>
          {!entry.read && <span className={layout.hidden}>{t`Unread`} · </span>}
          {sentence}
        </p>
        <p>
          <Target entry={entry} onFollow={follow} />
        </p>
        <p className={`${layout.muted} ${layout.sm} ${layout.break}`}>
          {entry.scanName} · <time dateTime={entry.at}>{dateTime(entry.at)}</time>
        </p>
      </div>
      {!entry.read && (
        <Button small kind="quiet" label={t`Mark as read: ${sentence}`} onPress={mark}>
          {t`Mark as read`}
        </Button>
      )}
    </li>
  )
}

/** The way to what an entry is about. */
function Target({ entry, onFollow }: { entry: InboxEntry; onFollow: () => void }): ReactNode {
  const { t } = useLingui()
  const { permissions } = useSession()
  const { scanId, issue, run } = entry
  if (run)
    return (
      <Link to="/scans/$scanId/$run" params={{ scanId, run: run.number }} onClick={onFollow}>
        {t`Open run`}
      </Link>
    )
  if (issue)
    return (
      <Link to="/issues" search={{ scanId: [scanId], issue: issue.id }} onClick={onFollow}>
        <RuleTitle rule={issue.rule} help={issue.help} />
      </Link>
    )
  return (
    <Link to="/issues" search={{ scanId: [scanId], assignedTo: [permissions.id] }} onClick={onFollow}>
      {t`Open my issues`}
    </Link>
  )
}
