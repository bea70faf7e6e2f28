import { useLingui } from '@lingui/react/macro'
import { CopyButton } from '../../../kit/control/copy-button.tsx'
import layout from '../../../kit/page/layout.module.css'
import { Notice } from '../../../kit/page/states.tsx'

/** New recovery codes; shown only once. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const { t } = useLingui()
  return (
    <Notice kind="info" title={t`Recovery codes`}>
      <p>{t`Keep these codes in a safe place. Each replaces your second factor once. They are not shown again.`}</p>
      <ul className={layout.tight}>
        {codes.map((code) => (
          <li key={code}>
            <code translate="no">{code}</code>
          </li>
        ))}
      </ul>
      <div>
        <CopyButton text={codes.join('\n')}>{t`Copy`}</CopyButton>
      </div>
    </Notice>
  )
}
