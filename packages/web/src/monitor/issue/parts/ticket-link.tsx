import { useLingui } from '@lingui/react/macro'
import { Icon } from '../../../kit/control/icon.tsx'
import layout from '../../../kit/page/layout.module.css'

const longest = 60

/** The link to a ticket, without the scheme, and cut in its middle where it is long: the end tells tickets apart. */
export function TicketLink({ url }: { url: string }) {
  const { t } = useLingui()
  const bare = url.replace(/^https?:\/\//i, '')
  const short = bare.length > longest ? `${bare.slice(0, 24)}…${bare.slice(-(longest - 25))}` : bare
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" title={url} className={layout.break}>
      <span translate="no">{short}</span>
      <span className={layout.hidden}> {t`(opens the ticket in a new tab)`}</span> <Icon name="external" />
    </a>
  )
}
