import { useLingui } from '@lingui/react/macro'
import type { Issued } from '@clearway/contract/account/member/provider/schema.ts'
import { CopyButton } from '../../../kit/control/copy-button.tsx'
import layout from '../../../kit/page/layout.module.css'
import { Notice } from '../../../kit/page/states.tsx'
import { useFormats } from '../../../kit/text/format.ts'

/** Link to set a password: its recipient, or the link itself, which is shown only once. */
export function IssuedNotice({ issued, name }: { issued: Issued; name: string }) {
  const { t } = useLingui()
  const { formatDateTime } = useFormats()
  const formattedExpiry = formatDateTime(issued.expiresAt)
  const { email: recipientEmail, link: passwordLink } = issued
  if (passwordLink === null)
    return (
      <Notice kind="info" title={t`Email sent to ${recipientEmail}`}>
        <p>{t`The link in it works once, until ${formattedExpiry}.`}</p>
      </Notice>
    )
  return (
    <Notice kind="info" title={t`Link for ${name}`}>
      <p>{t`Copy it now and hand it over: it is not shown again. It works once, until ${formattedExpiry}.`}</p>
      <p className={layout.row}>
        <code translate="no" className={layout.break}>
          {passwordLink}
        </code>
        <CopyButton text={passwordLink}>{t`Copy`}</CopyButton>
      </p>
    </Notice>
  )
}
