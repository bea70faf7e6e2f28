import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { maxUnreadCount } from '@clearway/contract/monitor/notification/inbox/schema.ts'
import { getButtonClass } from '../../kit/control/button.tsx'
import { Icon } from '../../kit/control/icon.tsx'
import layout from '../../kit/page/layout.module.css'
import { smallScreenQuery, useMediaQuery } from '../../kit/page/use-media-query.ts'
import { useFormats } from '../../kit/text/format.ts'
import { unreadQuery } from '../../monitor/notification/queries.ts'
import { useSession } from '../../monitor/user/model.ts'
import styles from './inbox-link.module.css'

/** Number of unread inbox entries, refetched on navigation. */
function useUnreadCount() {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const queryClient = useQueryClient()
  const appRouter = useRouter()
  const unreadCount = useQuery(unreadQuery(apiClient)).data?.unread ?? 0
  useEffect(
    () =>
      appRouter.subscribe('onResolved', () => {
        void queryClient.refetchQueries({ queryKey: ['inbox', 'unread'], stale: true })
      }),
    [appRouter, queryClient],
  )
  const inboxLabel = t`${plural(unreadCount, { 0: 'Inbox', one: 'Inbox: # unread', other: 'Inbox: # unread' })}`
  return { unread: unreadCount, words: inboxLabel }
}

/** Visible badge; the control's accessible name contains the number, too. */
function UnreadBadge({ unread }: { unread: number }) {
  const { formatNumber } = useFormats()
  if (unread === 0) return null
  return (
    <span className={styles.count} aria-hidden="true">
      {unread < maxUnreadCount ? formatNumber(unread) : `${formatNumber(maxUnreadCount - 1)}+`}
    </span>
  )
}

/** Badge next to the button of the collapsed menu that contains the inbox; part of the button's accessible name. */
export function CollapsedUnreadBadge() {
  const { unread: unreadCount, words: inboxLabel } = useUnreadCount()
  return (
    <>
      <UnreadBadge unread={unreadCount} />
      {unreadCount > 0 && <span className={layout.hidden}>, {inboxLabel}</span>}
    </>
  )
}

export function InboxLink() {
  const isCollapsed = useMediaQuery(smallScreenQuery)
  const { unread: unreadCount, words: inboxLabel } = useUnreadCount()
  return (
    <Link to="/inbox" className={getButtonClass({ kind: 'quiet', small: true })} aria-label={inboxLabel} title={inboxLabel}>
      <Icon name="bell" />
      {isCollapsed ? inboxLabel : <UnreadBadge unread={unreadCount} />}
    </Link>
  )
}
