import { useLingui } from '@lingui/react/macro'
import { Icon } from '../../../kit/control/icon.tsx'
import layout from '../../../kit/page/layout.module.css'

const maxLabelLength = 60

/** Link to a ticket without the URL scheme. Long labels are shortened in the middle, because the end identifies the ticket. */
export function TicketLink({ url }: { url: string }) {
  const { t } = useLingui()
  const labelText = url.replace(/^https?:\/\//i, '')
  const shortLabel =
    labelText.length > maxLabelLength ? `${labelText.slice(0, 24)}…${labelText.slice(-(maxLabelLength - 25))}` : labelText
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" title={url} className={layout.break}>
      <span translate="no">{shortLabel}</span>
      <span className={layout.hidden}> {t`(opens the ticket in a new tab)`}</span> <Icon name="external" />
    </a>
  )
}
