import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { mostCounted } from '@clearway/contract/monitor/notification/inbox/schema.ts'
import { getButtonClass } from '../../kit/control/button.tsx'
import { Icon } from '../../kit/control/icon.tsx'
import layout from '../../kit/page/layout.module.css'
import { small, useMedia } from '../../kit/page/use-media.ts'
import { useFormats } from '../../kit/text/format.ts'
import { unreadQuery } from '../../monitor/notification/queries.ts'
import { useSession } from '../../monitor/user/model.ts'
import styles from './inbox-link.module.css'

/** How much of the inbox is unread: counted again when somebody goes to another screen. */
function useUnread() {
  const { t } = useLingui()
  const { api } = useSession()
  const client = useQueryClient()
  const router = useRouter()
  const unread = useQuery(unreadQuery(api)).data?.unread ?? 0
  useEffect(
    () =>
      router.subscribe('onResolved', () => {
        void client.refetchQueries({ queryKey: ['inbox', 'unread'], stale: true })
      }),
    [router, client],
  )
  const words = t`${plural(unread, { 0: 'Inbox', one: 'Inbox: # unread', other: 'Inbox: # unread' })}`
  return { unread, words }
}

/** The number beside a control, for the eye: its name says it, too. */
function Count({ unread }: { unread: number }) {
  const { number } = useFormats()
  if (unread === 0) return null
  return (
    <span className={styles.count} aria-hidden="true">
      {unread < mostCounted ? number(unread) : `${number(mostCounted - 1)}+`}
    </span>
  )
}

/** The same beside the menu that the inbox is folded behind, heard with its name. */
export function FoldedCount() {
  const { unread, words } = useUnread()
  return (
    <>
      <Count unread={unread} />
      {unread > 0 && <span className={layout.hidden}>, {words}</span>}
    </>
  )
}

/** The way to the inbox, with how much is unread there. */
export function InboxLink() {
  const folded = useMedia(small)
  const { unread, words } = useUnread()
  return (
    <Link
      to="/inbox"
      className={getButtonClass({ kind: 'quiet', small: true })}
      aria-label={words}
      title={words}
    >
      <Icon name="bell" />
      {folded ? words : <Count unread={unread} />}
    </Link>
  )
}
