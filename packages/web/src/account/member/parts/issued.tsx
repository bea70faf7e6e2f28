import { useLingui } from '@lingui/react/macro'
import type { Issued } from '@clearway/contract/account/member/provider/schema.ts'
import { CopyButton } from '../../../kit/control/copy-button.tsx'
import layout from '../../../kit/page/layout.module.css'
import { Notice } from '../../../kit/page/states.tsx'
import { useFormats } from '../../../kit/text/format.ts'

/** A link to set a password: where it was sent, or the link itself, which is shown this once. */
export function IssuedNotice({ issued, name }: { issued: Issued; name: string }) {
  const { t } = useLingui()
  const { dateTime } = useFormats()
  const until = dateTime(issued.expiresAt)
  const { email, link } = issued
  if (link === null)
    return (
      <Notice kind="info" title={t`Email sent to ${email}`}>
        <p>{t`The link in it works once, until ${until}.`}</p>
      </Notice>
    )
  return (
    <Notice kind="info" title={t`Link for ${name}`}>
      <p>{t`Copy it now and hand it over: it is not shown again. It works once, until ${until}.`}</p>
      <p className={layout.row}>
        <code translate="no" className={layout.break}>
          {link}
        </code>
        <CopyButton text={link}>{t`Copy`}</CopyButton>
      </p>
    </Notice>
  )
}
